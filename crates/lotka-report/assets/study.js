"use strict";
// What was kept of the runs of a study, over their parameters.
(() => {
  const SIZE = { width: 520, height: 340, left: 80, right: 16, top: 30, bottom: 50, ticks: 5 }, NEAR = 20;
  const FEW = 6; // different values with a color each; more share colors
  const MOST_NAMES = 50; // different names that can be told apart by colors at all
  const NONE = "-1";
  const GRAY = "#808080"; // of runs that have no value of the column that colors show
  const DECADES = 100; // ratio of values from which an axis is logarithmic at first
  const { report } = look;
  const [xChoice, colorChoice, logarithmic, filter, legend, point, place] =
    ["study-x", "study-color", "study-log", "filter", "study-legend", "study-point", "study-plots"].map((id) => document.getElementById(id));
  const columns = report.columns.map((column) => ({ ...column, values: look.numbers(column.values) }));
  const runs = look.numbers(report.runs);
  const different = (values) => [...new Set(values.filter((value) => value !== null))].sort((a, b) => a - b);
  columns.forEach((column) => { column.different = different(column.values); });
  const varied = columns.filter((column) => column.role === "parameter" && column.different.length > 1);
  const kept = columns.filter((column) => column.role === "kept" && column.different.length > 0);
  const work = columns.filter((column) => column.role === "outcome" && ["error", "calls"].includes(column.name) && column.different.length > 1);
  const shown = [...kept, ...work];

  const placeOf = (column) => columns.indexOf(column);
  const add = (choice, value, text) => choice.append(new Option(text, value));
  columns.filter((column) => column.different.length > 0).forEach((column) => add(xChoice, placeOf(column), column.name));
  add(colorChoice, NONE, "one");
  const isColor = (column) => column.different.length > 1 && !(column.labels.length > MOST_NAMES);
  columns.filter(isColor).forEach((column) => add(colorChoice, placeOf(column), column.name));
  const first = varied[0] ?? columns.find((column) => column.different.length > 0);
  if (!first) {
    point.textContent = "There are no values to plot.";
    return;
  }
  xChoice.value = placeOf(first);
  colorChoice.value = varied.length > 1 && isColor(varied[1]) ? placeOf(varied[1]) : NONE;

  const word = (column, value) => (value === null ? "–" : column.labels.length ? column.labels[value] : look.digits(value, 0));
  const unit = (column) => (column.unit && column.unit !== "1" ? " " + column.unit : "");

  /** A color between the first two of the page. */
  function between(share, onPaper) {
    const parts = [0, 1].map((at) => look.color(at, onPaper).match(/[0-9a-f]{2}/g).map((part) => parseInt(part, 16)));
    return "#" + parts[0].map((part, at) => Math.round(part + share * (parts[1][at] - part)).toString(16).padStart(2, "0")).join("");
  }

  /** Groups of runs of one color: the color on the page or on paper, and what they have in common. */
  function groups() {
    const rows = runs.map((_, row) => row);
    if (colorChoice.value === NONE) return [{ color: (onPaper) => look.color(0, onPaper), rows }];
    const column = columns[colorChoice.value], without = rows.filter((row) => column.values[row] === null);
    const others = without.length ? [{ name: "no value", color: () => GRAY, rows: without }] : [];
    if (column.labels.length || column.different.length <= FEW) {
      const known = new Map(column.different.map((value) => [value, []]));
      rows.forEach((row) => known.get(column.values[row])?.push(row));
      return [...known].map(([value, rows], at) => ({ name: word(column, value) + unit(column), color: (onPaper) => look.color(at, onPaper), rows })).concat(others);
    }
    const list = column.different, edges = Array.from({ length: FEW }, (_, part) => list[Math.floor((part * list.length) / FEW)]);
    return edges.map((from, part) => {
      const to = part + 1 < FEW ? list[Math.floor(((part + 1) * list.length) / FEW) - 1] : list[list.length - 1];
      const name = from === to ? word(column, from) : `${word(column, from)} to ${word(column, to)}`;
      return { name: name + unit(column), color: (onPaper) => between(part / (FEW - 1), onPaper), rows: rows.filter((row) => column.values[row] !== null && column.values[row] >= from && column.values[row] <= to) };
    }).concat(others);
  }

  /** Whether nothing but x varies among these runs: they are points of one curve. */
  function isCurve(rows, x) {
    return rows.length > 1 && !x.labels.length && varied.every((column) => column === x || rows.every((row) => column.values[row] === column.values[rows[0]])) &&
      new Set(rows.map((row) => x.values[row])).size === rows.length;
  }

  /** The picture of a column, and its points. */
  function picture(column, x, all, onPaper) {
    const isThere = (row) => column.values[row] !== null && x.values[row] !== null;
    const rows = runs.map((_, row) => row).filter((row) => x.values[row] !== null);
    const axis = (of, rows, isLogarithmic) => ({ range: frame.range(rows.map((row) => of.values[row]), isLogarithmic), name: frame.named(of.name, of.unit), labels: of.labels });
    const { toX, toY, picture } = frame.of(SIZE, axis(x, rows, logarithmic.checked), axis(column, rows.filter(isThere), false), onPaper);
    const points = [], parts = [frame.text(SIZE.left, 20, frame.named(column.name, column.unit), 'font-weight="bold"')];
    for (const group of all) {
      const color = group.color(onPaper), found = group.rows.filter(isThere).map((row) => ({ row, left: toX(x.values[row]), top: toY(column.values[row]) }));
      found.forEach((each) => points.push(each));
      const at = ({ left, top }) => `${left.toFixed(1)},${top.toFixed(1)}`;
      if (group.isCurve) {
        const line = [...found].sort((a, b) => a.left - b.left);
        if (line.length > 1) parts.push(`<path class="line" d="M${line.map(at).join("L")}" fill="none" stroke="${color}" stroke-width="1"/>`);
      }
      // Runs at the same place of the picture are one mark.
      const marks = [...new Set(found.map(at))];
      if (marks.length) parts.push(`<path class="runs" d="${marks.map((mark) => `M${mark}h0`).join("")}" fill="none" stroke="${color}" stroke-width="5" stroke-linecap="round"/>`);
    }
    const lost = [...new Set(rows.filter((row) => !isThere(row)).map((row) => toX(x.values[row]).toFixed(1)))], bottom = SIZE.height - SIZE.bottom;
    if (lost.length) parts.push(`<path class="lost" d="${lost.map((left) => `M${left},${bottom}v-9`).join("")}" stroke="${onPaper ? "#b03a00" : "var(--bad)"}" stroke-width="2"/>`);
    rows.filter((row) => !isThere(row)).forEach((row) => points.push({ row, left: toX(x.values[row]), top: bottom }));
    return { svg: picture(`${column.name} over ${x.name}, ${rows.filter(isThere).length} runs`, parts.join("")), points };
  }

  /** What is known of a run. */
  function say(row, column) {
    const parameters = columns.filter((of) => of.role === "parameter").map((of) => `${of.name} = ${word(of, of.values[row])}`);
    const status = columns.find((of) => of.name === "status" && of.role === "outcome");
    return `run ${runs[row]}: ${parameters.join(", ")}: ${column.name} = ${word(column, column.values[row])}${unit(column)}; ${word(status, status.values[row])}`;
  }

  function draw() {
    const x = columns[xChoice.value], all = groups().map((group) => ({ ...group, isCurve: isCurve(group.rows, x) })), wanted = filter.value.toLowerCase();
    logarithmic.disabled = x.labels.length > 0 || !(x.different[0] > 0);
    if (logarithmic.disabled) logarithmic.checked = false;
    const heading = colorChoice.value === NONE ? "" : `<span>${look.escaped(columns[colorChoice.value].name)}:</span> `;
    legend.innerHTML = heading + all.filter((group) => group.name !== undefined).map((group) => `<span><svg width="12" height="12" aria-hidden="true"><circle cx="6" cy="6" r="5" fill="${group.color(false)}"/></svg> ${look.escaped(group.name)}</span>`).join(" ");
    place.replaceChildren();
    point.textContent = "";
    for (const column of shown.filter((column) => column !== x && column.name.toLowerCase().includes(wanted))) {
      const figure = document.createElement("div"), { svg, points } = picture(column, x, all, false);
      figure.innerHTML = svg;
      figure.title = column.about ?? "";
      const button = document.createElement("button");
      button.textContent = "SVG";
      button.setAttribute("aria-label", `save ${column.name} as SVG`);
      button.addEventListener("click", () => plotExport.save(new Blob([picture(column, x, all, true).svg], { type: "image/svg+xml" }), `${column.name} over ${x.name}`, "svg"));
      figure.append(button);
      figure.addEventListener("mousemove", (event) => {
        const best = frame.nearest(event, figure.querySelector("svg"), points, NEAR);
        if (best) point.textContent = say(best.row, column);
      });
      place.append(figure);
    }
  }

  /** An axis over several decades is logarithmic, until the user decides otherwise. */
  function choose() {
    const { different, labels } = columns[xChoice.value];
    logarithmic.checked = !labels.length && different[0] > 0 && different[different.length - 1] / different[0] >= DECADES;
    draw();
  }

  xChoice.addEventListener("change", choose);
  [colorChoice, logarithmic].forEach((choice) => choice.addEventListener("change", draw));
  filter.addEventListener("input", draw);
  look.dark.addEventListener("change", draw);
  choose();
})();
