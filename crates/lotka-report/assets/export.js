"use strict";
// What a plot shows, as a file.
const plotExport = (() => {
  const HEAD = 44; // title and names above the plot
  const FONT = "12px system-ui, sans-serif";
  const SAMPLE = 20; // length of the line before a name
  const PARTS = 8; // of a smooth curve between two rows

  function save(blob, title, extension) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = title.replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 80) + "." + extension;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  /** Curves with a name that are shown. */
  function named(u) {
    return u.series.slice(1).filter((series) => series.show && !series.band);
  }

  /** Color and dashes of a curve on paper. */
  function stroke(series) {
    const dashes = look.dashes(series.run);
    return `stroke="${look.color(series.place, true)}"` + (dashes ? ` stroke-dasharray="${dashes.join(" ")}"` : "");
  }

  function png(u, title) {
    const scale = devicePixelRatio, canvas = document.createElement("canvas");
    canvas.width = u.ctx.canvas.width;
    canvas.height = u.ctx.canvas.height + HEAD * scale;
    const ctx = canvas.getContext("2d");
    ctx.fillStyle = getComputedStyle(document.body).backgroundColor;
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    ctx.drawImage(u.ctx.canvas, 0, HEAD * scale);
    ctx.scale(scale, scale);
    ctx.font = "bold " + FONT;
    ctx.fillStyle = getComputedStyle(document.body).color;
    ctx.fillText(title, 10, 16);
    ctx.font = FONT;
    let x = 10;
    for (const series of named(u)) {
      ctx.strokeStyle = look.color(series.place);
      ctx.lineWidth = 2;
      ctx.setLineDash(look.dashes(series.run) ?? []);
      ctx.beginPath();
      ctx.moveTo(x, 30);
      ctx.lineTo(x + SAMPLE, 30);
      ctx.stroke();
      ctx.fillText(series.label, x + SAMPLE + 6, 34);
      x += ctx.measureText(series.label).width + SAMPLE + 22;
    }
    canvas.toBlob((blob) => save(blob, title, "png"));
  }

  const text = (x, y, content, more = "") => `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${look.escaped(content)}</text>`;

  /** The visible part of a curve: the places of its rows, in pieces between gaps. */
  function pieces(u, place, left, top) {
    const { min, max } = u.scales.x, time = u.data[0], values = u.data[place];
    const rows = time.map((_, row) => row).filter((row) => values[row] !== undefined); // others are rows of other runs
    const isInside = (n) => (time[rows[n + 1]] ?? time[rows[n]]) >= min && (time[rows[n - 1]] ?? time[rows[n]]) <= max;
    const visible = rows.filter((row, n) => isInside(n));
    const list = [{ x: [], y: [] }];
    for (const row of visible) {
      if (values[row] === null) { list.push({ x: [], y: [] }); continue; }
      list[list.length - 1].x.push(left + u.valToPos(time[row], "x"));
      list[list.length - 1].y.push(top + u.valToPos(values[row], "y"));
    }
    const isSmooth = visible.length > 0 && curves.isSmooth(u, place, visible[0], visible[visible.length - 1]);
    const between = ({ x, y }) => { const fine = curves.refined(x, [y], PARTS); return { x: fine.times, y: fine.lists[0] }; };
    return list.filter((piece) => piece.x.length > 0).map((piece) => (isSmooth ? between(piece) : piece));
  }

  /** The visible part of a curve, as smooth as on the page. */
  function path(u, place, left, top) {
    const { step } = u.series[place];
    let text = "", previous;
    for (const piece of pieces(u, place, left, top)) {
      previous = null;
      piece.x.forEach((number, row) => {
        const [x, y] = [number, piece.y[row]].map((number) => number.toFixed(1)), point = x + "," + y;
        if (point === previous) return; // nobody would see it
        if (previous === null) text += `M${point}`;
        else if (step) text += step === "before" ? `V${y}H${x}` : `H${x}V${y}`;
        else text += `L${point}`;
        previous = point;
      });
    }
    return text;
  }

  function axes(u, left, top, width, height) {
    const parts = [];
    const [xAxis, yAxis] = u.axes;
    (xAxis._splits ?? []).forEach((value, tick) => {
      const x = left + u.valToPos(value, "x");
      parts.push(`<path d="M${x.toFixed(1)},${top}V${top + height}" stroke="#ddd"/>`, text(x, top + height + 16, xAxis._values[tick] ?? "", 'text-anchor="middle"'));
    });
    (yAxis._splits ?? []).forEach((value, tick) => {
      const y = top + u.valToPos(value, "y");
      if (!yAxis._values[tick]) return;
      parts.push(`<path d="M${left},${y.toFixed(1)}H${left + width}" stroke="#ddd"/>`, text(left - 6, y + 4, yAxis._values[tick], 'text-anchor="end"'));
    });
    parts.push(text(left + width / 2, top + height + 34, xAxis.label, 'text-anchor="middle"'));
    parts.push(`<g transform="translate(14,${top + height / 2}) rotate(-90)">${text(0, 0, yAxis.label, 'text-anchor="middle"')}</g>`);
    return parts.join("\n");
  }

  /** The edges of an error band as one closed line. */
  function bandPath(u, place, left, top) {
    const lower = path(u, place + 1, left, top), upper = path(u, place + 2, left, top);
    const reversed = upper.match(/[\d.-]+,[\d.-]+/g);
    return reversed && lower ? lower + "L" + reversed.reverse().join("L") + "Z" : "";
  }

  function svgText(u, title) {
    const ratio = devicePixelRatio;
    const { left, top: above, width, height } = Object.fromEntries(Object.entries(u.bbox).map(([key, value]) => [key, value / ratio]));
    const top = above + HEAD;
    const curves = [];
    u.series.forEach((series, place) => {
      if (place === 0 || !series.show || series.band) return;
      const isBanded = u.series[place + 1]?.band === place && !series.step;
      if (isBanded) curves.push(`<path d="${bandPath(u, place, left, top)}" fill="${look.color(series.place, true)}" fill-opacity="0.25"/>`);
      curves.push(`<path d="${path(u, place, left, top)}" fill="none" ${stroke(series)} stroke-width="1.5"/>`);
    });
    let x = 10;
    const names = named(u).map((series) => {
      const name = `<path d="M${x},30h${SAMPLE}" ${stroke(series)} stroke-width="2"/>` + text(x + SAMPLE + 6, 34, series.label);
      x += 7 * series.label.length + SAMPLE + 22;
      return name;
    });
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${u.width}" height="${u.height + HEAD}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
${text(10, 16, title, 'font-weight="bold"')}
${names.join("\n")}
${axes(u, left, top, width, height)}
<clipPath id="frame"><rect x="${left}" y="${top}" width="${width}" height="${height}"/></clipPath>
<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="none" stroke="#888"/>
<g clip-path="url(#frame)">
${curves.join("\n")}
</g>
</svg>
`;
  }

  return { save, png, svg: (u, title) => save(new Blob([svgText(u, title)], { type: "image/svg+xml" }), title, "svg") };
})();
