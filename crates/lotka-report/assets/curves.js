"use strict";
// The data of a plot for uPlot: curves of several runs on one time axis, smooth between their rows.
const curves = (() => {
  const linear = uPlot.paths.linear(), spline = uPlot.paths.spline();
  const PIXELS_PER_ROW = 3; // rows that are closer need no curves between them

  /** All times of some grids in order, and for each grid the places of its times. Times that a grid has twice stay two. */
  function merged(grids) {
    const heads = grids.map(() => 0), places = grids.map(() => []), time = [];
    for (;;) {
      let least = Infinity;
      grids.forEach((grid, n) => { if (heads[n] < grid.length) least = Math.min(least, grid[heads[n]]); });
      if (least === Infinity) return { time, places };
      grids.forEach((grid, n) => {
        if (grid[heads[n]] !== least) return;
        places[n].push(time.length);
        heads[n]++;
      });
      time.push(least);
    }
  }

  /** Whether there are curves between these rows: they are far apart, and there is no gap. */
  function isSmooth(u, place, first, last) {
    const values = u.data[place].slice(first, last + 1).filter((value) => value !== undefined);
    return !u.series[place].step && values.length > 2 && values.length * PIXELS_PER_ROW * devicePixelRatio <= u.bbox.width && !values.includes(null);
  }

  /** Monotone curves between the rows, where these are far apart; straight lines at gaps and between close rows. A jump is a vertical line. */
  function smooth(u, place, first, last) {
    if (!isSmooth(u, place, first, last)) return linear(u, place, first, last);
    const time = u.data[0], values = u.data[place], cuts = [];
    let before = null;
    for (let row = first; row <= last; row++) {
      if (values[row] === undefined) continue;
      if (before !== null && time[row] === time[before]) cuts.push([before, row]);
      before = row;
    }
    const ends = [...cuts.map((cut) => cut[0]), last], begins = [first, ...cuts.map((cut) => cut[1])];
    const pieces = begins.map((begin, n) => (ends[n] > begin ? spline(u, place, begin, ends[n]) : null)).filter((piece) => piece?.stroke);
    if (pieces.length === 0) return linear(u, place, first, last);
    const [whole, ...others] = pieces;
    for (const piece of others) {
      for (const part of ["stroke", "fill", "band"]) if (whole[part] instanceof Path2D && piece[part]) whole[part].addPath(piece[part]);
    }
    for (const [from, to] of cuts) {
      const x = u.valToPos(time[from], "x", true);
      whole.stroke.moveTo(x, u.valToPos(values[from], "y", true));
      whole.stroke.lineTo(x, u.valToPos(values[to], "y", true));
    }
    return whole;
  }

  function paths(curve) {
    return curve.stepped ? uPlot.paths.stepped({ align: curve.stepped === "before" ? -1 : 1 }) : smooth;
  }

  /** Series with their data: a curve with errors is followed by the two edges of its band. Rows of other runs are undefined. */
  function of(plot) {
    const texts = [...new Set([plot.time, ...plot.curves.map((curve) => curve.time ?? plot.time)])];
    const { time, places } = merged(texts.map(look.numbers));
    const spread = (curve, values) => {
      if (texts.length === 1) return values;
      const all = new Array(time.length);
      places[texts.indexOf(curve.time ?? plot.time)].forEach((place, row) => { all[place] = values[row]; });
      return all;
    };
    const list = [], data = [time], bands = [];
    plot.curves.forEach((curve, number) => {
      const place = curve.color ?? number;
      let values = look.numbers(curve.values);
      if (plot.logarithmic) values = values.map((value) => (value > 0 ? value : null));
      const labels = new Map(curve.labels || []);
      const common = { step: curve.stepped, paths: paths(curve), spanGaps: false, pxAlign: 0 };
      const stroke = () => look.color(place);
      list.push({ ...common, label: curve.name, about: curve.about, place, run: curve.dash ?? 0, labels, stroke, width: 1.5, dash: look.dashes(curve.dash ?? 0),
        points: { size: 5 }, value: (u, value) => (labels.has(value) ? labels.get(value) : look.digits(value, 0)) });
      data.push(spread(curve, values));
      if (!curve.errors) return;
      const errors = look.numbers(curve.errors);
      const edge = (sign) => values.map((value, row) => (value === null || errors[row] === null ? null : value + sign * errors[row]));
      bands.push({ series: [data.length + 1, data.length], fill: () => look.color(place) + "40" });
      for (const sign of [-1, 1]) {
        list.push({ ...common, label: curve.name, band: data.length - (sign > 0 ? 2 : 1), place, run: 0, stroke, width: 0.5, points: { show: false } });
        data.push(spread(curve, edge(sign)));
      }
    });
    return { list, data, bands };
  }

  /** Slopes of a monotone curve through some points (Fritsch, Butland 1984). */
  function slopes(times, values) {
    const chords = times.slice(1).map((time, n) => (values[n + 1] - values[n]) / (time - times[n]));
    return times.map((time, n) => {
      const [before, after] = [chords[n - 1], chords[n]];
      if (before === undefined || after === undefined) return before ?? after;
      if (before * after <= 0) return 0;
      const [left, right] = [time - times[n - 1], times[n + 1] - time];
      return (3 * (left + right)) / ((2 * right + left) / before + (right + 2 * left) / after);
    });
  }

  /** Times between the given ones, and the values of monotone curves at them; jumps stay as they are. */
  function refined(times, lists, parts) {
    const fine = { times: [], lists: lists.map(() => []) };
    let begin = 0;
    for (let row = 1; row <= times.length; row++) {
      if (row < times.length && times[row] !== times[row - 1]) continue;
      const piece = times.slice(begin, row);
      const knots = lists.map((values) => ({ values: values.slice(begin, row), slopes: slopes(piece, values.slice(begin, row)) }));
      piece.forEach((time, n) => {
        for (let part = 0; part < (n + 1 < piece.length ? parts : 1); part++) {
          const share = part / parts, width = piece[n + 1] - time;
          fine.times.push(part === 0 ? time : time + share * width);
          knots.forEach((knot, list) => {
            if (part === 0) return fine.lists[list].push(knot.values[n]);
            const [from, to] = [knot.values[n], knot.values[n + 1]], cubed = share * share * (3 - 2 * share);
            fine.lists[list].push(from + cubed * (to - from) + width * share * (1 - share) * ((1 - share) * knot.slopes[n] - share * knot.slopes[n + 1]));
          });
        }
      });
      begin = row;
    }
    return fine;
  }

  /** The row of a curve nearest to a row of the plot, which may be one of another run. */
  function nearest(u, place, row) {
    const values = u.data[place];
    for (let distance = 0; distance < values.length; distance++) {
      for (const other of [row - distance, row + distance]) if (values[other] !== undefined) return other;
    }
    return row;
  }

  return { of, nearest, isSmooth, refined };
})();
