// Rotary encodings in plain JavaScript, in one coordinate or several.

const range = (count) => Array.from({ length: count }, (_, i) => i);
const clip = (value) => Math.min(Math.max(value, 0), 1);

/** base ** (-2 i / width) of each pair. */
const progression = (base, width) => range(width / 2).map((i) => 1 / base ** (2 * i / width));

/** Radians per position of each pair, and the attention factor. */
function scaled({ base, rotary_dim: d, scaling, length }) {
  const s = scaling ?? {};
  const { factor = 1, original_max_position_embeddings: old } = s;
  const w = progression(base, d);
  const wider = (by) => [progression(base * by ** (d / (d - 2)), d), 1];
  const trained = s.max_position_embeddings;
  const ratio = Math.max(length ?? 0, trained) / trained;
  switch (s.type) {
    case "linear": return [w.map((one) => one / factor), 1];
    case "ntk": return wider(factor);
    case "dynamic": return wider(factor * ratio - (factor - 1));
    case "stepped": return wider(2 ** Math.ceil(Math.log2(2 * ratio)) - 1);
    case "proportional": {
      const turning = Math.floor(s.partial_rotary_factor * d / 2);
      return [w.map((one, i) => i < turning ? one / factor : 0), 1];
    }
    case "llama3": {
      const { low_freq_factor: low, high_freq_factor: high } = s;
      return [w.map((one) => {
        const keep = clip((old * one / (2 * Math.PI) - low) / (high - low || 1e-9));
        return one * keep + (1 - keep) * one / factor;
      }), 1];
    }
    case "yarn": {
      const { beta_fast = 32, beta_slow = 1, truncate = true, mscale = 1, mscale_all_dim = 0 } = s;
      const pair = (beta) => d * Math.log(old / (beta * 2 * Math.PI)) / (2 * Math.log(base));
      const ends = truncate ? [Math.floor(pair(beta_fast)), Math.ceil(pair(beta_slow))] : [pair(beta_fast), pair(beta_slow)];
      const [first, last] = [Math.max(ends[0], 0), Math.min(ends[1], d - 1)];
      const g = (m) => 0.1 * m * Math.log(Math.max(factor, 1)) + 1;
      return [w.map((one, i) => {
        const ramp = clip((i - first) / (last - first || 0.001));
        return one * ramp / factor + one * (1 - ramp);
      }), s.attention_factor ?? g(mscale) / g(mscale_all_dim)];
    }
    case "longrope": {
      const which = length && length > old ? "long" : "short";
      const rule = factor > 1 ? Math.sqrt(1 + Math.log(factor) / Math.log(old)) : 1;
      return [w.map((one, i) => one / s[`${which}_factor`][i]), s[`${which}_mscale`] ?? s.attention_factor ?? rule];
    }
    default: return [w, 1];
  }
}

/** The coordinate and the frequency of each pair, and the attention factor. */
function turning(o) {
  const { rule, rotary_dim: d, base } = o;
  const n = d / 2;
  const half = n / 2;
  const two = range(n).map((i) => Math.floor(i / half));
  const repeated = (counts) => counts.flatMap((count, axis) => range(count).map(() => axis));
  switch (rule) {
    case "blocks": {
      const axes = repeated(o.dims.map((width) => width / 2));
      return [axes, o.dims.flatMap((width) => progression(base, width)), 1];
    }
    case "alternate": return [range(n).map((i) => i % 2), range(n).map((i) => progression(base, n)[i >> 1]), 1];
    case "pixtral": {
      const w = progression(base, d);
      return [two, range(n).map((i) => w[2 * (i % half) + two[i]]), 1];
    }
    case "dinov3": return [two, range(n).map((i) => 2 * Math.PI * progression(base, n)[i % half]), 1];
    case "pixels": {
      const step = (o.max_freq / 2 - 1) / Math.max(half - 1, 1);
      return [two, range(n).map((i) => Math.PI * (1 + (i % half) * step)), 1];
    }
    case "ltx": {
      const step = 1 / Math.max(n / 3 - 1, 1);
      return [range(n).map((i) => i % 3), range(n).map((i) => Math.PI / 2 * base ** (Math.floor(i / 3) * step)), 1];
    }
  }
  const [w, attention] = scaled(o);
  const pairs = o.pairs ?? [n];
  const count = pairs.length;
  const axes = rule === "interleaved" ? range(n).map((j) => j < count * pairs[j % count] ? j % count : 0) : repeated(pairs);
  return [axes, w, attention];
}

/** One head of features, turned. */
function turn(x, cos, sin, layout) {
  const out = [...x];
  const pairs = cos.length;
  for (let i = 0; i < pairs; i++) {
    const [one, two] = layout === "halves" ? [i, i + pairs] : [2 * i, 2 * i + 1];
    out[one] = x[one] * cos[i] - x[two] * sin[i];
    out[two] = x[one] * sin[i] + x[two] * cos[i];
  }
  return out;
}

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

/** The outputs of a case, each as a list of rows. */
export function rotated({ options: o, positions }, q, k) {
  const [axes, w, attention] = turning(o);
  const angles = positions.map((place) => w.map((one, i) => one * place[axes[i]]));
  const cos = angles.map((row) => row.map((angle) => attention * Math.cos(angle)));
  const sin = angles.map((row) => row.map((angle) => attention * Math.sin(angle)));
  const [turnedQ, turnedK] = [q, k].map((x) => x.map((row, i) => turn(row, cos[i], sin[i], o.layout)));
  const out = { frequencies: [w], attention_factor: [[attention]], cos, sin, q: turnedQ, k: turnedK };
  if (!o.score) return out;
  const { width, mscale = 0, factor = 1 } = o.score;
  const scale = o.score.scale ?? (0.1 * mscale * Math.log(factor) + 1) ** 2 / Math.sqrt(width);
  const scores = turnedQ.map((query) => turnedK.map((key) => scale * dot(query, key)));
  return { ...out, scores, score_scale: [[scale]], score_factor: [[scale * Math.sqrt(width)]] };
}
