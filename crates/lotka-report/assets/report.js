"use strict";
// Draws the plots of a report. The data are in the element #data, see `report/plots.rs`.
(() => {
  const HEIGHT = 260;
  const LINES = { stroke: "#88888830" };
  const ZOOM = 0.75; // per notch of the wheel

  const { report, digits } = look;
  const together = document.getElementById("together");
  const cursors = uPlot.sync("report");
  const drawn = new Set();
  let window_ = null; // the stretch of time that all plots show, if it is not all

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
    document.dispatchEvent(new CustomEvent("timeshown", { detail: window_ }));
    for (const u of drawn) {
      if (u !== from && (u.scales.x.min !== min || u.scales.x.max !== max)) u.setScale("x", { min, max });
    }
  }

  /** Zooms the values around the mouse; on a logarithmic axis, by their exponents. */
  function zoomValues(u, event, factor) {
    const isLogarithmic = u.scales.y.distr === 3;
    const [to, from] = isLogarithmic ? [Math.log10, (value) => 10 ** value] : [Number, Number];
    const at = to(u.posToVal(event.clientY - u.over.getBoundingClientRect().top, "y"));
    const { min, max } = u.scales.y;
    u.setScale("y", { min: from(at - (at - to(min)) * factor), max: from(at + (to(max) - at) * factor) });
  }

  function zoomWithWheel(u) {
    u.over.addEventListener("wheel", (event) => {
      // With Shift, some systems turn the wheel sideways.
      const turned = event.deltaY || event.deltaX;
      if (turned === 0) return;
      event.preventDefault();
      if (event.shiftKey) return zoomValues(u, event, turned < 0 ? ZOOM : 1 / ZOOM);
      const at = u.posToVal(event.clientX - u.over.getBoundingClientRect().left, "x");
      const factor = turned < 0 ? ZOOM : 1 / ZOOM;
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
      cursor: { sync: { key: cursors.key, setSeries: false }, drag: { x: true, y: true, uni: 40 }, focus: { prox: 24 }, dataIdx: curves.nearest },
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
          u.root.querySelectorAll(".u-legend .u-series")[place].querySelector("th").setAttribute("aria-pressed", String(u.series[place].show));
          u.series.forEach((series, other) => { if (series.band === place && series.show !== change.show) u.setSeries(other, { show: change.show }); });
        }],
      },
    };
  }

  function button(text, title, act) {
    const element = document.createElement("button");
    element.textContent = text;
    element.title = title;
    element.setAttribute("aria-label", title);
    element.addEventListener("click", act);
    return element;
  }

  /** What a plot is, in words, for those who do not see it. */
  function describe(u, plot) {
    const spans = u.series.flatMap((series, place) => {
      if (place === 0 || series.band) return [];
      const values = u.data[place].filter((value) => value !== null && value !== undefined);
      const [least, largest] = values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
      return values.length > 0 ? [`${series.label} from ${digits(least, 0)} to ${digits(largest, 0)}`] : [];
    });
    const time = u.data[0], unit = plot.unit ? ` in ${plot.unit}` : "";
    const picture = u.root.querySelector(".u-wrap");
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", `Plot over time from ${digits(time[0], 0)} s to ${digits(time[time.length - 1], 0)} s${unit}: ${spans.join("; ")}`);
  }

  /** The name of a curve is a switch, for the keyboard, too. */
  function label(u, row, place, series) {
    if (series.about) row.title = series.about;
    const name = row.querySelector("th");
    name.setAttribute("role", "button");
    name.setAttribute("tabindex", "0");
    name.setAttribute("aria-label", `show ${series.label}`);
    name.setAttribute("aria-pressed", "true");
    name.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      u.setSeries(place, { show: !series.show });
    });
  }

  function draw(figure, plot) {
    const { list, data, bands } = curves.of(plot);
    const u = new uPlot(options(plot, list, bands, figure.clientWidth), data, figure.querySelector(".canvas"));
    describe(u, plot);
    const rows = [...u.root.querySelectorAll(".u-legend .u-series")];
    u.series.forEach((series, place) => {
      if (series.band) rows[place].hidden = true; // the edges of a band belong to the curve before them
      else if (place > 0) label(u, rows[place], place, series);
    });
    drawn.add(u);
    if (window_ && together?.checked) u.setScale("x", window_);
    figure.querySelector("figcaption").append(
      button("All", "show all times and values", () => u.setData(u.data)),
      button("SVG", "save what is shown as SVG", () => plotExport.svg(u, plot.title)),
      button("PNG", "save what is shown as PNG", () => plotExport.png(u, plot.title)),
    );
    figure.plot = u;
    new ResizeObserver(() => { if (!figure.hidden) u.setSize({ width: figure.clientWidth, height: HEIGHT }); }).observe(figure);
  }

  /** The same plot in the colors of the other mode. */
  function recolor(u) {
    u.redraw();
    u.root.querySelectorAll(".u-legend .u-series").forEach((row, place) => {
      if (place > 0) row.querySelector(".u-marker").style.borderColor = look.color(u.series[place].place);
    });
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
      figure.setAttribute("role", "group");
      figure.setAttribute("aria-label", plot.title);
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
    look.dark.addEventListener("change", () => drawn.forEach(recolor));
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
