"use strict";
// One variable over another one.
(() => {
  const place = document.getElementById("xy-plot");
  if (!place) return;
  const SIZE = { width: 640, height: 440, left: 90, right: 20, top: 34, bottom: 50 }, NEAR = 24;
  const ALL = "*"; // all variables
  const FEW = 600, PARTS = 8; // rows for which there are points between them, and their number
  const [xChoice, yChoice, point] = ["xy-x", "xy-y", "xy-point"].map((id) => document.getElementById(id));
  const known = look.report.plots.filter((plot) => plot.place === "rows")
    .flatMap((plot) => plot.curves.map((curve) => ({ ...curve, unit: plot.unit, time: curve.time ?? plot.time })));
  const variables = [...new Set(known.map((curve) => curve.variable))];
  let range = null; // the stretch of time
  let drawn = []; // points on the picture, with what they are

  const add = (choice, value, text) => choice.append(new Option(text, value));
  variables.forEach((name) => [xChoice, yChoice].forEach((choice) => add(choice, name, name)));
  if (look.report.x) add(yChoice, ALL, "all");
  xChoice.value = look.report.x ?? variables[0];
  yChoice.value = look.report.x ? ALL : variables[1];

  /** The values of a curve at other times: its own where it has these rows, else on straight lines between them. */
  function at(curve, times, text) {
    const values = look.numbers(curve.values);
    if (curve.time === text) return values;
    const own = look.numbers(curve.time);
    let row = 0;
    return times.map((time) => {
      while (row + 2 < own.length && own[row + 1] < time) row++;
      const [from, to] = [own[row], own[row + 1] ?? own[row]];
      if (time < from || time > to) return null;
      if (curve.stepped || to === from) return values[time < to ? row : Math.min(row + 1, values.length - 1)];
      if (values[row] === null || values[row + 1] === null) return null;
      return values[row] + ((time - from) / (to - from)) * (values[row + 1] - values[row]);
    });
  }

  /** The points of the chosen curves, in the stretch of time. */
  function chosen() {
    const wanted = yChoice.value === ALL ? variables.filter((name) => name !== xChoice.value) : [yChoice.value];
    const lines = [];
    for (const curve of known.filter((curve) => wanted.includes(curve.variable))) {
      const x = known.find((other) => other.variable === xChoice.value && other.run === curve.run);
      if (!x) continue;
      const times = look.numbers(curve.time), y = look.numbers(curve.values), across = at(x, times, curve.time);
      const pieces = unbroken(times.map((time, row) => ({ time, x: across[row], y: y[row] })));
      const isShown = (found) => range === null || (found.time >= range.min && found.time <= range.max);
      const points = pieces.flat().filter(isShown);
      if (points.length === 0) continue;
      const isSmooth = points.length < FEW && !curve.stepped && !x.stepped;
      const parts = pieces.map((piece) => (isSmooth ? between(piece) : piece).filter(isShown)).filter((part) => part.length > 0);
      lines.push({ name: curve.name, color: wanted.indexOf(curve.variable), run: curve.run, unit: curve.unit, points, parts });
    }
    return { lines, unit: known.find((curve) => curve.variable === xChoice.value).unit };
  }

  /** The pieces of a curve without gaps. */
  function unbroken(rows) {
    const pieces = [[]];
    for (const row of rows) {
      if (row.x === null || row.y === null) pieces.push([]);
      else pieces[pieces.length - 1].push(row);
    }
    return pieces.filter((piece) => piece.length > 0);
  }

  /** Points on smooth curves between rows, and the rows. */
  function between(rows) {
    const fine = curves.refined(rows.map((found) => found.time), [rows.map((found) => found.x), rows.map((found) => found.y)], PARTS);
    return fine.times.map((time, n) => ({ time, x: fine.lists[0][n], y: fine.lists[1][n] }));
  }

  /** The picture; on paper, its colors do not follow those of the page. */
  function picture(onPaper) {
    const { lines, unit } = chosen();
    if (lines.length === 0) return "";
    const all = lines.flatMap((line) => line.points);
    const axis = (values, name) => ({ range: frame.range(values), name });
    const [x, y] = [axis(all.map((found) => found.x), frame.named(xChoice.value, unit)), axis(all.map((found) => found.y))];
    const { toX, toY, picture } = frame.of(SIZE, x, y, onPaper);
    const parts = [];
    let left = SIZE.left;
    drawn = [];
    for (const line of lines) {
      const color = look.color(line.color, onPaper), dashes = look.dashes(line.run)?.join(" ");
      const stroke = `fill="none" stroke="${color}" stroke-width="1.5"${dashes ? ` stroke-dasharray="${dashes}"` : ""}`;
      drawn.push(...line.points.map((found) => ({ ...found, left: toX(found.x), top: toY(found.y), name: line.name })));
      const at = (found) => toX(found.x).toFixed(1) + "," + toY(found.y).toFixed(1);
      // A single point is a dot.
      const path = line.parts.map((part) => `M${part.map(at).join("L")}${part.length === 1 ? "h0.1" : ""}`).join("");
      parts.push(`<path class="curve" d="${path}" ${stroke}/>`);
      const name = frame.named(line.name, line.unit);
      parts.push(`<path d="M${left},18h22" ${stroke}/>`, frame.text(left + 28, 22, name));
      left += 50 + 7 * name.length;
    }
    return picture(`${lines.map((line) => line.name).join(", ")} over ${xChoice.value}`, parts.join(""));
  }

  function draw() {
    place.innerHTML = picture(false);
    point.textContent = "";
  }

  /** What is near the mouse. */
  place.addEventListener("mousemove", (event) => {
    const best = frame.nearest(event, place.querySelector("svg"), drawn, NEAR);
    point.textContent = best ? `t = ${look.digits(best.time, 0)} s: ${xChoice.value} = ${look.digits(best.x, 0)}, ${best.name} = ${look.digits(best.y, 0)}` : "";
  });
  [xChoice, yChoice].forEach((choice) => choice.addEventListener("change", draw));
  document.getElementById("xy-svg").addEventListener("click", () => plotExport.save(new Blob([picture(true)], { type: "image/svg+xml" }), `${yChoice.value} over ${xChoice.value}`, "svg"));
  document.addEventListener("timeshown", (event) => { range = event.detail; draw(); });
  look.dark.addEventListener("change", draw);
  draw();
})();
