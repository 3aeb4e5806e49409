"use strict";
// Pictures of values over other values: scales, grid, names.
const frame = (() => {
  const GRID = "#88888840", PAPER_GRID = "#dddddd", INK = "#222222";
  const MOST_LABELS = 12;

  const text = (x, y, content, more = "") => `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${look.escaped(content)}</text>`;
  const named = (name, unit) => (unit ? `${name} [${unit}]` : name);

  /** The range of an axis that shows these values, with room around them. */
  function range(values, isLogarithmic = false) {
    let least = Infinity, largest = -Infinity;
    for (const value of values) { least = Math.min(least, value); largest = Math.max(largest, value); }
    if (isLogarithmic) {
      const room = largest > least ? (largest / least) ** 0.04 : 2;
      return { least: Math.max(least / room, Number.MIN_VALUE), largest: Math.min(largest * room, Number.MAX_VALUE), isLogarithmic };
    }
    const room = largest > least ? 0.04 * (largest - least) : Math.abs(least) * 0.1 || 1;
    return { least: least - room, largest: largest + room, isLogarithmic };
  }

  /** The share of an axis that is before a value. */
  function share(range, value) {
    const { least, largest, isLogarithmic } = range;
    return isLogarithmic ? Math.log(value / least) / Math.log(largest / least) : (value - least) / (largest - least);
  }

  /** The ticks of an axis: round numbers, or the names of values. */
  function ticks(axis, count) {
    const { least, largest, isLogarithmic } = axis.range;
    if (axis.labels?.length) {
      return axis.labels.slice(0, MOST_LABELS).map((label, value) => ({ value, label })).filter(({ value }) => value >= least && value <= largest);
    }
    if (isLogarithmic) {
      const [first, last] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(largest))];
      const every = Math.ceil((last - first) / (2 * count)), factors = last - first > 2 ? [1] : [1, 2, 5];
      const list = [];
      for (let power = first; power <= last; power += every) factors.forEach((factor) => list.push(factor * 10 ** power));
      const inside = list.filter((value) => value >= least && value <= largest);
      if (inside.length > 1) return inside.map((value) => ({ value, label: look.digits(value, 0) }));
    }
    return look.ticks(least, largest, count).map((value) => ({ value, label: look.digits(value, largest - least) }));
  }

  /**
   * A picture of this size (width, height, and the margins left, right, top, bottom) with two axes, each with a range, a name and perhaps labels.
   * Returns where values are in it, and a function that makes the picture of what is in the frame.
   */
  function of(size, x, y, onPaper) {
    const { width, height, left, right, top, bottom } = size;
    const toX = (value) => left + share(x.range, value) * (width - left - right);
    const toY = (value) => height - bottom - share(y.range, value) * (height - top - bottom);
    const ink = onPaper ? INK : "currentColor", grid = onPaper ? PAPER_GRID : GRID;
    const parts = [];
    for (const { value, label } of ticks(x, size.ticks ?? 6)) {
      parts.push(`<path d="M${toX(value).toFixed(1)},${top}V${height - bottom}" stroke="${grid}"/>`, text(toX(value), height - bottom + 16, label, 'text-anchor="middle"'));
    }
    for (const { value, label } of ticks(y, size.ticks ?? 6)) {
      parts.push(`<path d="M${left},${toY(value).toFixed(1)}H${width - right}" stroke="${grid}"/>`, text(left - 6, toY(value) + 4, label, 'text-anchor="end"'));
    }
    parts.push(text((left + width - right) / 2, height - 12, x.name, 'text-anchor="middle"'));
    const picture = (label, content) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${look.escaped(label)}" ` +
      `fill="${ink}" font-family="sans-serif" font-size="12">${onPaper ? '<rect width="100%" height="100%" fill="#ffffff"/>' : ""}` +
      `<rect x="${left}" y="${top}" width="${width - left - right}" height="${height - top - bottom}" fill="none" stroke="#888888"/>${parts.join("")}${content}</svg>`;
    return { toX, toY, picture };
  }

  /** The point of a picture that is nearest to the mouse, no farther away than `most`. */
  function nearest(event, svg, points, most) {
    const box = svg?.getBoundingClientRect();
    if (!box) return null;
    const scale = svg.viewBox.baseVal.width / box.width, [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    let best = null, least = most;
    for (const found of points) {
      const distance = Math.hypot(found.left - x, found.top - y);
      if (distance < least) [best, least] = [found, distance];
    }
    return best;
  }

  return { range, of, text, named, nearest };
})();
