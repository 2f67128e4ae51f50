// A player's rating by list as a small picture: drawn here, because 20,000 ready-made ones would weigh 100 times more.
"use strict";

Object.assign(ratingrun, (() => {
  const { el, say, day } = ratingrun;
  const WIDTH = 420;
  const HEIGHT = 150;
  const EDGE = { left: 46, right: 46, top: 18, bottom: 26 };
  const STEPS = [5, 10, 20, 25, 50, 100, 200, 250, 500];

  // `curve`: [[day, rating or null], ...], oldest first. Nothing if there are not two ratings.
  function curve(points) {
    const rated = points.filter(([, rating]) => rating !== null);
    if (rated.length < 2) return null;
    const times = points.map(([date]) => Date.parse(date));
    const [low, high, step] = range(rated.map(([, rating]) => rating));
    const x = (date) => EDGE.left + ((Date.parse(date) - times[0]) / (times.at(-1) - times[0])) * (WIDTH - EDGE.left - EDGE.right);
    const y = (rating) => HEIGHT - EDGE.bottom - ((rating - low) / (high - low)) * (HEIGHT - EDGE.top - EDGE.bottom);
    const drawing = el("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "curve",
      "aria-label": say("site.panel.curve_alt", { points: rated.map(([date, rating]) => `${day(date)} ${rating}`).join(", ") }) });
    for (let mark = low; mark <= high; mark += step) {
      drawing.append(el("line", { x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(mark), y2: y(mark), class: "grid" }),
        el("text", { x: EDGE.left - 8, y: y(mark) + 4, "text-anchor": "end" }, String(mark)));
    }
    for (const run of runs(points)) {
      drawing.append(el("polyline", { points: run.map(([date, rating]) => `${x(date)},${y(rating)}`).join(" "), class: "trace" }));
    }
    for (const [date, rating] of rated) drawing.append(el("circle", { cx: x(date), cy: y(rating), r: 4, class: "dot" }));
    const [date, rating] = rated.at(-1);
    drawing.append(el("text", { x: x(date) + 8, y: y(rating) + 4, class: "now" }, String(rating)));
    for (const [place, [when]] of [["start", points[0]], ["end", points.at(-1)]]) {
      drawing.append(el("text", { x: x(when), y: HEIGHT - 6, "text-anchor": place }, when.slice(0, 7)));
    }
    return drawing;
  }

  function range(ratings) {
    const least = Math.min(...ratings);
    const most = Math.max(...ratings);
    const step = STEPS.find((one) => (most - least) / one <= 3.2) ?? STEPS.at(-1);
    const low = Math.floor(least / step) * step;
    const high = Math.ceil(most / step) * step;
    return [low, high === low ? low + step : high, step];
  }

  // Stretches without a list on which the player is unrated.
  function runs(points) {
    const found = [[]];
    for (const point of points) {
      if (point[1] === null) found.push([]);
      else found.at(-1).push(point);
    }
    return found.filter((run) => run.length > 1);
  }

  return { curve };
})());
