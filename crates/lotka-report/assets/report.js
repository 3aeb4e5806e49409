"use strict";
// Draws the plots of a report. The data are in the element #data, see `report/plots.rs`.
(() => {
  // Colors that can be told apart by everybody (Okabe, Ito 2008).
  const COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"];
  const HEIGHT = 260;
  const LINES = { stroke: "#88888830" };
  const ZOOM = 0.75; // per notch of the wheel

  const report = JSON.parse(document.getElementById("data").textContent);
  const together = document.getElementById("together");
  const cursors = uPlot.sync("report");
  const drawn = new Set();
  let window_ = null; // the stretch of time that all plots show, if it is not all

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

  function color(place) {
    return COLORS[place % COLORS.length];
  }

  /** Curves with their data: a curve with errors is followed by the two edges of its band. */
  function curvesOf(plot) {
    const time = numbers(plot.time);
    const list = [], data = [time], bands = [];
    plot.curves.forEach((curve, place) => {
      let values = numbers(curve.values);
      if (plot.logarithmic) values = values.map((value) => (value > 0 ? value : null));
      const labels = new Map(curve.labels || []);
      const paths = curve.stepped ? uPlot.paths.stepped({ align: curve.stepped === "before" ? -1 : 1 }) : undefined;
      list.push({ label: curve.name, about: curve.about, stroke: color(place), width: 1.5, paths, step: curve.stepped, labels, points: { size: 5 },
        value: (u, value) => (labels.has(value) ? labels.get(value) : digits(value, 0)) });
      data.push(values);
      if (!curve.errors) return;
      const errors = numbers(curve.errors);
      const edge = (sign) => values.map((value, row) => (value === null || errors[row] === null ? null : value + sign * errors[row]));
      bands.push({ series: [data.length + 1, data.length], fill: color(place) + "40" });
      for (const sign of [-1, 1]) {
        list.push({ label: curve.name, band: data.length - (sign > 0 ? 2 : 1), stroke: color(place), width: 0.5, paths, step: curve.stepped, points: { show: false } });
        data.push(edge(sign));
      }
    });
    return { list, data, bands };
  }

  /** Lines where events are. */
  function markEvents(events) {
    return (u) => {
      const { ctx, bbox } = u;
      ctx.save();
      ctx.strokeStyle = "#88888880";
      ctx.setLineDash([4, 4]);
      for (const time of events) {
        if (time < u.scales.x.min || time > u.scales.x.max) continue;
        const x = Math.round(u.valToPos(time, "x", true));
        ctx.beginPath();
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
      }
      ctx.restore();
    };
  }

  /** The same stretch of time for all plots, if that is wanted. */
  function showTime(from, min, max) {
    if (!together?.checked) return;
    window_ = { min, max };
    for (const u of drawn) {
      if (u !== from && (u.scales.x.min !== min || u.scales.x.max !== max)) u.setScale("x", { min, max });
    }
  }

  function zoomWithWheel(u) {
    u.over.addEventListener("wheel", (event) => {
      if (event.deltaY === 0) return;
      event.preventDefault();
      const at = u.posToVal(event.clientX - u.over.getBoundingClientRect().left, "x");
      const factor = event.deltaY < 0 ? ZOOM : 1 / ZOOM;
      const { min, max } = u.scales.x;
      const time = u.data[0];
      const first = Math.max(time[0], at - (at - min) * factor), last = Math.min(time[time.length - 1], at + (max - at) * factor);
      if (last > first) u.setScale("x", { min: first, max: last });
    }, { passive: false });
  }

  /** Names for numbers on the axis of an enumeration, where it has whole ones. */
  function ticks(plot, list) {
    const labels = list[0].labels;
    if (labels.size > 0) {
      const longest = Math.max(...[...labels.values()].map((label) => label.length));
      return { splits: () => [...labels.keys()], values: (u, splits) => splits.map((value) => labels.get(value)), size: Math.min(320, 40 + 7 * longest) };
    }
    if (!plot.logarithmic) return { size: 70, values: (u, splits) => splits.map((value) => digits(value, splits[splits.length - 1] - splits[0])) };
    const whole = (value) => value !== null && Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
    return { size: 70, grid: { ...LINES, filter: (u, splits) => splits.map((value) => (whole(value) ? value : null)) },
      values: (u, splits) => splits.map((value) => (whole(value) ? value.toExponential(0) : "")) };
  }

  function options(plot, list, bands, width) {
    const axis = { stroke: () => getComputedStyle(document.body).color, grid: LINES, ticks: { stroke: "#88888860" } };
    const labels = list[0].labels;
    return {
      width, height: HEIGHT, bands,
      cursor: { sync: { key: cursors.key, setSeries: false }, drag: { x: true, y: false, uni: 20 }, focus: { prox: 24 } },
      focus: { alpha: 0.4 },
      scales: {
        x: { time: false },
        // An enumeration may have values that are none of its items.
        y: labels.size > 0 ? { range: (u, min, max) => [Math.min(min, ...labels.keys()) - 0.5, Math.max(max, ...labels.keys()) + 0.5] } : { distr: plot.logarithmic ? 3 : 1 },
      },
      axes: [{ ...axis, label: "t [s]", labelSize: 22 }, { ...axis, ...ticks(plot, list), label: plot.unit || " ", labelSize: 22 }],
      series: [{ label: "t", value: (u, value) => (value === null ? "–" : digits(value, u.scales.x.max - u.scales.x.min) + " s") }, ...list],
      hooks: {
        ready: [zoomWithWheel],
        drawAxes: plot.place === "rows" && report.events.length > 0 ? [markEvents(report.events)] : [],
        setScale: [(u, key) => { if (key === "x" && u.status === 1) showTime(u, u.scales.x.min, u.scales.x.max); }],
        // A band is hidden with its curve.
        setSeries: [(u, place, change) => {
          if (place === null || change.show === undefined) return;
          u.series.forEach((series, other) => { if (series.band === place && series.show !== change.show) u.setSeries(other, { show: change.show }); });
        }],
      },
    };
  }

  function button(text, title, act) {
    const element = document.createElement("button");
    element.textContent = text;
    element.title = title;
    element.addEventListener("click", act);
    return element;
  }

  function draw(figure, plot) {
    const { list, data, bands } = curvesOf(plot);
    const u = new uPlot(options(plot, list, bands, figure.clientWidth), data, figure.querySelector(".canvas"));
    const rows = [...u.root.querySelectorAll(".u-legend .u-series")];
    u.series.forEach((series, place) => {
      if (series.band) rows[place].hidden = true; // the edges of a band belong to the curve before them
      else if (series.about) rows[place].title = series.about;
    });
    drawn.add(u);
    if (window_ && together?.checked) u.setScale("x", window_);
    figure.querySelector("figcaption").append(
      button("All", "show all of the time", () => u.setScale("x", { min: u.data[0][0], max: u.data[0][u.data[0].length - 1] })),
      button("SVG", "save what is shown as SVG", () => plotExport.svg(u, plot.title)),
      button("PNG", "save what is shown as PNG", () => plotExport.png(u, plot.title)),
    );
    figure.plot = u;
    new ResizeObserver(() => { if (!figure.hidden) u.setSize({ width: figure.clientWidth, height: HEIGHT }); }).observe(figure);
  }

  /** A place for each plot; it is drawn when it comes into view. */
  function prepare() {
    const pending = new Map();
    const drawNow = (figure) => {
      const plot = pending.get(figure);
      if (plot && pending.delete(figure)) draw(figure, plot);
    };
    const observer = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => drawNow(entry.target)),
      { rootMargin: "400px" });
    for (const plot of report.plots) {
      const figure = document.createElement("figure");
      figure.dataset.names = plot.curves.map((curve) => curve.name).join("\n").toLowerCase();
      const caption = document.createElement("figcaption");
      const title = document.createElement("span");
      title.textContent = plot.title;
      caption.append(title);
      const canvas = document.createElement("div");
      canvas.className = "canvas";
      figure.append(caption, canvas);
      if (plot.note) {
        const note = document.createElement("p");
        note.className = "hint";
        note.textContent = plot.note;
        figure.append(note);
      }
      document.getElementById("plots-" + plot.place).append(figure);
      pending.set(figure, plot);
      observer.observe(figure);
    }
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawn.forEach((u) => u.redraw()));
    window.addEventListener("beforeprint", () => [...pending.keys()].forEach(drawNow));
  }

  prepare();
  together?.addEventListener("change", () => { window_ = null; });
  const filter = document.getElementById("filter");
  filter?.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase();
    for (const figure of document.querySelectorAll("#plots-rows figure")) figure.hidden = !figure.dataset.names.includes(wanted);
  });
})();
