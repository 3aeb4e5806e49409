"use strict";
// Colors, dashes and numbers, as all plots show them.
const look = (() => {
  const report = JSON.parse(document.getElementById("data").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)");

  /** Numbers out of base64; what is not finite is a gap. */
  function numbers(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    return Array.from(new Float64Array(bytes.buffer), (value) => (Number.isFinite(value) ? value : null));
  }

  /** Five digits, more where the axis shows a short stretch. */
  function digits(value, range) {
    if (value === null || value === undefined) return "–";
    const size = Math.max(Math.abs(value), Number.MIN_VALUE);
    const needed = range > 0 ? Math.ceil(Math.log10(size / range)) + 4 : 5;
    const text = String(Number(value.toPrecision(Math.min(17, Math.max(5, needed)))));
    return text.length > 12 ? value.toExponential(4) : text;
  }

  /** The color of a curve on the page, or on paper. */
  function color(place, onPaper = false) {
    const colors = dark.matches && !onPaper ? report.colors.dark : report.colors.light;
    return colors[place % colors.length];
  }

  /** Lengths of dashes and gaps of a run; none for the first. */
  function dashes(run) {
    return run > 0 ? report.dashes[(run - 1) % report.dashes.length].split(" ").map(Number) : undefined;
  }

  /** Round numbers from `least` to `largest`, about `count` of them. */
  function ticks(least, largest, count) {
    const rough = (largest - least) / count, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough * 0.999);
    const list = [];
    for (let number = Math.ceil(least / step - 1e-9); number * step <= largest + 1e-9 * step && list.length <= count + 1; number++) list.push(number * step);
    return list;
  }

  const escaped = (text) => String(text).replace(/[\0-\x1f\x7f]/g, "\ufffd").replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

  return { report, dark, numbers, digits, color, dashes, ticks, escaped };
})();
