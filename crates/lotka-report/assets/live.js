"use strict";
// Shows a run while it runs: reads the events of the command, and adds to the plots.
(() => {
  const HEIGHT = 240, MOST_CURVES = 6;
  const state = document.getElementById("state"), facts = document.getElementById("facts"), note = document.getElementById("note");
  const plots = []; // each with the places of its numbers in a point
  const lists = { rows: [], steps: [] }; // points: the time, and the numbers at it
  let variables = null;

  function figure(title, place, unit, series, list, columns, logarithmic) {
    const made = document.createElement("figure"), caption = document.createElement("figcaption"), name = document.createElement("span"), canvas = document.createElement("div");
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", title);
    name.textContent = title;
    caption.append(name);
    made.append(caption, canvas);
    document.getElementById(place).append(made);
    const axis = { stroke: () => getComputedStyle(document.body).color, grid: { stroke: "#88888830" }, ticks: { stroke: "#88888860" } };
    const u = new uPlot({
      width: made.clientWidth, height: HEIGHT, scales: { x: { time: false }, y: { distr: logarithmic ? 3 : 1 } },
      cursor: { drag: { x: true, y: true, uni: 40 } },
      axes: [{ ...axis, label: "t [s]", labelSize: 22 }, { ...axis, size: 70, label: unit || " ", labelSize: 22 }],
      series: [{ label: "t", value: (u, value) => (value === null ? "–" : look.digits(value, 0) + " s") }, ...series],
    }, [[], ...series.map(() => [])], canvas);
    const wrap = u.root.querySelector(".u-wrap");
    wrap.setAttribute("role", "img");
    wrap.setAttribute("aria-label", title);
    new ResizeObserver(() => u.setSize({ width: made.clientWidth, height: HEIGHT })).observe(made);
    made.plot = u;
    plots.push({ u, list, columns });
  }

  function series(name, place, stepped) {
    return { label: name, stroke: () => look.color(place), width: 1.5, paths: stepped ? uPlot.paths.stepped({ align: stepped === "before" ? -1 : 1 }) : undefined,
      value: (u, value) => look.digits(value, 0) };
  }

  /** Variables of the same unit share a plot. */
  function arrange() {
    const groups = [];
    variables.forEach((variable, number) => {
      const fits = (group) => group[0].variable.unit === variable.unit && group[0].variable.stepped === variable.stepped && group.length < MOST_CURVES;
      const group = groups.find(fits);
      if (group) group.push({ variable, number });
      else groups.push([{ variable, number }]);
    });
    for (const group of groups) {
      figure(group.map((one) => one.variable.name).join(", "), "plots-rows", group[0].variable.unit, group.map((one, place) => series(one.variable.name, place, one.variable.stepped)),
        "rows", group.map((one) => one.number + 1), false);
    }
    figure("step size", "plots-steps", "s", [series("step size", 0, "before")], "steps", [1], true);
  }

  function add(name, news) {
    const before = news.replaces ? [] : lists[name];
    lists[name] = before.concat(news.points);
  }

  function draw() {
    for (const { u, list, columns } of plots) {
      const points = lists[list], isWhole = u.scales.x.min === undefined || u.scales.x.min === null || (u.data[0].length > 0 && u.scales.x.min <= u.data[0][0] && u.scales.x.max >= u.data[0][u.data[0].length - 1]);
      u.setData([points.map((point) => point[0]), ...columns.map((column) => points.map((point) => point[column]))], isWhole || u.data[0].length === 0);
      if (!isWhole) u.redraw();
    }
  }

  function fact(name, value) {
    const [term, text] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = name;
    text.textContent = value;
    facts.append(term, text);
  }

  function tell(news) {
    const share = news.stop > news.start ? Math.min(1, Math.max(0, ((news.time ?? news.start) - news.start) / (news.stop - news.start))) : 1;
    document.getElementById("progress").value = news.end ? 1 : share;
    state.textContent = news.end ?? `running: t = ${look.digits(news.time ?? news.start, 0)} of ${look.digits(news.stop, 0)} s`;
    facts.replaceChildren();
    if (news.step !== null) fact("Step size", look.digits(news.step, 0) + " s");
    fact("Steps", String(news.n_steps));
    fact("Rejected steps", String(news.n_rejected));
    if (news.n_events > 0) fact("Events", String(news.n_events));
    news.runs.forEach(([steps, estimate]) => fact(`Run with ${steps} steps`, estimate === null ? "no estimate yet" : `largest error about ${estimate.toExponential(1)}`));
    const notes = [];
    if (news.left_out > 0) notes.push(`${news.left_out} more variables have no plot.`);
    if (news.rows.stride > 1) notes.push(`The plots show every ${news.rows.stride}th row.`);
    note.textContent = notes.join(" ");
  }

  const events = new EventSource("events");
  let isOver = false;
  events.addEventListener("message", (event) => {
    const news = JSON.parse(event.data);
    if (news.variables) {
      variables = news.variables;
      arrange();
    }
    add("rows", news.rows);
    add("steps", news.steps);
    draw();
    tell(news);
    isOver = news.end !== null;
    if (isOver) events.close();
  });
  events.addEventListener("error", () => {
    if (isOver) return;
    events.close();
    state.textContent = "The connection is lost: the process of the run has ended.";
  });
  look.dark.addEventListener("change", () => plots.forEach(({ u }) => u.redraw()));
})();
