"""``python -m ratingrun`` is the ``ratingrun`` command."""

from ratingrun.cli import main

main()
