// Sinusoidal tables, grids, ALiBi and T5's buckets in plain JavaScript.

const range = (count) => Array.from({ length: count }, (_, i) => i);

/** Radians per position of each pair. */
const speeds = (o) => range(o.pairs).map((i) => o.angle_scale * o.base ** (-i / (o.spread / 2 - o.freq_shift)));

/** One row of a table from the angle of each pair. */
function waves(angles, o) {
  const height = o.amplitude * o.width ** o.amplitude_power;
  const both = [Math.sin, Math.cos].map((wave) => angles.map((angle) => height * wave(angle)));
  const [first, second] = o.order === "sin_first" ? both : both.reverse();
  const row = o.arrangement === "halves" ? [...first, ...second] : first.flatMap((one, i) => [one, second[i]]);
  return range(o.columns).map((column) => row[column] ?? 0);
}

export function sinusoidal({ options: o, positions }) {
  const w = speeds(o);
  return { frequencies: [w], table: positions.map(([place]) => waves(w.map((one) => one * place), o)) };
}

export function grid({ options: o }) {
  const [ys, xs] = [o.height, o.grid_width].map((size, axis) => {
    const places = range(size).map((i) => (o.start + i) * o.spacing[axis]);
    const last = places[size - 1] + 1e-6;
    return o.normalized ? places.map((place) => place / last * 2 * Math.PI) : places;
  });
  const rows = ys.flatMap((y) => xs.map((x) => [y, x]));
  const points = o.listed === "rows" ? rows : xs.flatMap((x) => ys.map((y) => [y, x]));
  const parts = { axes: 1, kinds: 2, pairs: o.pairs }[o.blocks];
  return { table: points.map(([y, x]) => {
    const sides = o.axes === "yx" ? [y, x] : [x, y];
    const halves = sides.map((side) => waves(speeds(o).map((one) => one * side), o));
    const size = halves[0].length / parts;
    return range(parts).flatMap((part) => halves.flatMap((half) => half.slice(part * size, (part + 1) * size)));
  }) };
}

export function alibi({ options: { heads, length } }) {
  const whole = 2 ** Math.floor(Math.log2(heads));
  const powers = [...range(whole).map((h) => 8 * (h + 1) / whole), ...range(heads - whole).map((h) => 4 * (2 * h + 1) / whole)];
  const slopes = powers.map((power) => 2 ** -power);
  return { slopes: [slopes], bias: slopes.map((slope) => range(length).map((key) => -slope * (length - 1 - key))) };
}

export function t5({ options: o, positions }) {
  const side = o.buckets / (o.bidirectional ? 2 : 1);
  const near = side / 2;
  return { buckets: [positions.map(([offset]) => {
    const far = o.bidirectional ? Math.abs(offset) : Math.max(-offset, 0);
    const upper = o.bidirectional && offset > 0 ? side : 0;
    if (far < near) return upper + far;
    const share = Math.log(far / near) / Math.log(o.max_distance / near);
    return upper + Math.min(near + Math.floor(share * (side - near) + 1e-9), side - 1);
  })] };
}
