#!/bin/sh
# demo.sh RATINGRUN FOLDER: the main job on the sample data - adopt the first lists, run three months.
set -eu
ratingrun=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
if [ -e "$2" ] && [ ! -f "$2/demo.sh" ]; then
    echo "$2 exists and is not a demo; choose another folder: make demo DEMO=..." >&2
    exit 1
fi
rm -rf "$2"
mkdir -p "$2"
cp -R "$here"/. "$2"
cd "$2"
for period in 2025-08 2025-09 2025-10; do
    echo "--- ratingrun adopt lists_source/$period.csv --period $period"
    "$ratingrun" adopt "lists_source/$period.csv" --period "$period" >/dev/null
done
for period in 2025-11 2025-12 2026-01; do
    echo "--- ratingrun run $period"
    "$ratingrun" run "$period" >"$period.log" 2>&1 || { cat "$period.log"; exit 1; }
    sed -n '1,/^Biggest losses/p' "$period.log" | sed '$d'
done
cat <<EOF
Three months are made. Open in $(pwd):
  lists/2025-11-standard/summary.txt       what a person reads first
  lists/2025-11-standard/rating_list.csv   the list of 1 November 2025 (then 2025-12, 2026-01)
  lists/2025-11-standard/findings.csv      every game that is not rated, and why
  lists/2025-11-standard/                  the proof: games, sides, changes, trail ... as Parquet
  README.md                                the story of the federation, player by player
EOF
