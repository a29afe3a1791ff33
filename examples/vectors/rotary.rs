//! Rotary encodings in plain Rust, in one coordinate or several.

use crate::json::Json;
use std::collections::HashMap;
use std::f64::consts::PI;

pub type Rows = Vec<Vec<f64>>;
pub type Outputs = HashMap<&'static str, Rows>;

fn progression(base: f64, width: usize) -> Vec<f64> {
    (0..width / 2).map(|i| 1.0 / base.powf(2.0 * i as f64 / width as f64)).collect()
}

/// Radians per position of each pair, and the attention factor.
fn scaled(o: &Json) -> (Vec<f64>, f64) {
    let (base, d, length) = (o.get("base").number(), o.get("rotary_dim").number(), o.get("length").or(0.0));
    let (s, width) = (o.get("scaling"), d as usize);
    let w = progression(base, width);
    let old = s.get("original_max_position_embeddings").or(1.0);
    let (mut factor, mut attention, kind) = (s.get("factor").or(1.0), 1.0, s.get("type").text());
    let trained = s.get("max_position_embeddings").or(1.0);
    let ratio = length.max(trained) / trained;
    match kind {
        "dynamic" => factor = factor * ratio - (factor - 1.0),
        "stepped" => factor = (2.0 * ratio).log2().ceil().exp2() - 1.0,
        _ => (),
    }
    if matches!(kind, "ntk" | "dynamic" | "stepped") {
        return (progression(base * factor.powf(d / (d - 2.0)), width), 1.0);
    }
    let which = if length > old { "long" } else { "short" };
    let pair = |beta: f64| d * (old / (beta * 2.0 * PI)).ln() / (2.0 * base.ln());
    let (fast, slow) = (pair(s.get("beta_fast").or(32.0)), pair(s.get("beta_slow").or(1.0)));
    let whole = s.get("truncate").or(1.0) == 1.0;
    let (first, last) = if whole { (fast.floor(), slow.ceil()) } else { (fast, slow) };
    let mut ends = (first.max(0.0), last.min(d - 1.0));
    ends.1 += if ends.0 == ends.1 { 0.001 } else { 0.0 };
    if kind == "yarn" {
        let warmth = 0.1 * factor.max(1.0).ln();
        let rule = (s.get("mscale").or(1.0) * warmth + 1.0) / (s.get("mscale_all_dim").or(0.0) * warmth + 1.0);
        attention = s.get("attention_factor").or(rule);
    }
    if kind == "longrope" {
        let rule = if factor > 1.0 { (1.0 + factor.ln() / old.ln()).sqrt() } else { 1.0 };
        attention = s.get(&format!("{which}_mscale")).or(s.get("attention_factor").or(rule));
    }
    let turning = (s.get("partial_rotary_factor").or(1.0) * d / 2.0) as usize;
    let divisors = s.get(&format!("{which}_factor")).numbers();
    let (low, high) = (s.get("low_freq_factor").or(0.0), s.get("high_freq_factor").or(0.0));
    let scaled = w.iter().enumerate().map(|(i, &w)| match kind {
        "linear" => w / factor,
        "proportional" => if i < turning { w / factor } else { 0.0 },
        "llama3" => {
            let wide = if high == low { 1e-9 } else { high - low };
            let kept = ((old * w / (2.0 * PI) - low) / wide).clamp(0.0, 1.0);
            w * kept + w / factor * (1.0 - kept)
        }
        "yarn" => {
            let ramp = ((i as f64 - ends.0) / (ends.1 - ends.0)).clamp(0.0, 1.0);
            w / factor * ramp + w * (1.0 - ramp)
        }
        "longrope" => w / divisors[i],
        _ => w,
    });
    (scaled.collect(), attention)
}

fn repeated(counts: &[usize]) -> Vec<usize> {
    counts.iter().enumerate().flat_map(|(axis, &count)| vec![axis; count]).collect()
}

/// The coordinate and the frequency of each pair, and the attention factor.
fn turning(o: &Json) -> (Vec<usize>, Vec<f64>, f64) {
    let (rule, base, d) = (o.get("rule").text(), o.get("base").or(1.0), o.get("rotary_dim").number());
    let (n, half) = (d as usize / 2, (d as usize / 4).max(1));
    let whole = |name| o.get(name).numbers().iter().map(|&x| x as usize).collect::<Vec<_>>();
    if rule == "blocks" {
        let dims = whole("dims");
        let w = dims.iter().flat_map(|&width| progression(base, width)).collect();
        return (repeated(&dims.iter().map(|width| width / 2).collect::<Vec<_>>()), w, 1.0);
    }
    if matches!(rule, "" | "sections" | "interleaved") {
        let ((w, attention), pairs) = (scaled(o), whole("pairs"));
        let count = pairs.len();
        let axes = match rule {
            "" => vec![0; n],
            "sections" => repeated(&pairs),
            _ => (0..n).map(|j| if j < count * pairs[j % count] { j % count } else { 0 }).collect(),
        };
        return (axes, w, attention);
    }
    let most = o.get("max_freq").or(0.0);
    let each = (0..n).map(|i| {
        let (axis, j) = match rule {
            "ltx" => (i % 3, i / 3),
            "alternate" => (i % 2, i / 2),
            _ => (i / half, i % half),
        };
        let j = j as f64;
        let plain = base.powf(-2.0 * j / n as f64);
        let steps = |count: usize| j / (count.max(2) - 1) as f64;
        let w = match rule {
            "pixtral" => base.powf(-(4.0 * j + 2.0 * axis as f64) / d),
            "dinov3" => 2.0 * PI * plain,
            "pixels" => PI * (1.0 + steps(half) * (most / 2.0 - 1.0)),
            "ltx" => PI / 2.0 * base.powf(steps(n / 3)),
            _ => plain,
        };
        (axis, w)
    });
    let (axes, w) = each.unzip();
    (axes, w, 1.0)
}

/// The outputs of a case, each as a list of rows.
pub fn rotated(one: &Json, q: Rows, k: Rows) -> Outputs {
    let o = one.get("options");
    let (axes, w, attention) = turning(o);
    let n = w.len();
    let angle = |place: &Json, i: usize| place.list()[axes[i]].number() * w[i];
    let wave = |f: fn(f64) -> f64| -> Rows {
        let row = |place: &Json| (0..n).map(|i| attention * f(angle(place, i))).collect();
        one.get("positions").list().iter().map(row).collect()
    };
    let (cos, sin) = (wave(f64::cos), wave(f64::sin));
    let turn = |mut x: Rows| {
        for (r, row) in x.iter_mut().enumerate() {
            for i in 0..n {
                let (a, b) = if o.get("layout").text() == "halves" { (i, i + n) } else { (2 * i, 2 * i + 1) };
                let (x1, x2) = (row[a], row[b]);
                row[a] = x1 * cos[r][i] - x2 * sin[r][i];
                row[b] = x1 * sin[r][i] + x2 * cos[r][i];
            }
        }
        x
    };
    let (q, k) = (turn(q), turn(k));
    let mut made = Outputs::from([("frequencies", vec![w.clone()]), ("attention_factor", vec![vec![attention]])]);
    let score = o.get("score");
    if score.is_there() {
        let warmth = 0.1 * score.get("mscale").or(0.0) * score.get("factor").or(1.0).ln() + 1.0;
        let root = score.get("width").number().sqrt();
        let scale = score.get("scale").or(warmth * warmth / root);
        let dot = |a: &Vec<f64>, b: &Vec<f64>| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>() * scale;
        made.insert("scores", q.iter().map(|a| k.iter().map(|b| dot(a, b)).collect()).collect());
        made.extend([("score_scale", vec![vec![scale]]), ("score_factor", vec![vec![scale * root]])]);
    }
    made.extend([("cos", cos), ("sin", sin), ("q", q), ("k", k)]);
    made
}
