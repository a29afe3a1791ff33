//! Sinusoidal tables, grids, ALiBi and T5's buckets in plain Rust.

use crate::json::Json;
use crate::rotary::{Outputs, Rows};
use std::f64::consts::PI;

fn speeds(o: &Json) -> Vec<f64> {
    let over = o.get("spread").number() / 2.0 - o.get("freq_shift").number();
    let (base, scale) = (o.get("base").number(), o.get("angle_scale").number());
    (0..o.get("pairs").number() as usize).map(|i| scale * base.powf(-(i as f64) / over)).collect()
}

fn waves(place: f64, o: &Json) -> Vec<f64> {
    let height = o.get("amplitude").number() * o.get("width").number().powf(o.get("amplitude_power").number());
    let (w, columns) = (speeds(o), o.get("columns").number() as usize);
    let (halves, sines) = (o.get("arrangement").text() == "halves", o.get("order").text() == "sin_first");
    let mut row = vec![0.0; columns.max(2 * w.len())];
    for (i, speed) in w.iter().enumerate() {
        let (first, second) = if halves { (i, i + w.len()) } else { (2 * i, 2 * i + 1) };
        let (sine, cosine) = (place * speed).sin_cos();
        row[if sines { first } else { second }] = height * sine;
        row[if sines { second } else { first }] = height * cosine;
    }
    row.truncate(columns);
    row
}

pub fn sinusoidal(one: &Json) -> Outputs {
    let o = one.get("options");
    let table = one.get("positions").list().iter().map(|place| waves(place.list()[0].number(), o));
    Outputs::from([("frequencies", vec![speeds(o)]), ("table", table.collect())])
}

pub fn grid(one: &Json) -> Outputs {
    let o = one.get("options");
    let along = |name: &str, axis: usize| -> Vec<f64> {
        let (start, step) = (o.get("start").number(), o.get("spacing").numbers()[axis]);
        let places: Vec<f64> = (0..o.get(name).number() as usize).map(|i| (start + i as f64) * step).collect();
        let last = places[places.len() - 1] + 1e-6;
        let normalized = o.get("normalized").number() == 1.0;
        places.iter().map(|place| if normalized { place / last * 2.0 * PI } else { *place }).collect()
    };
    let (ys, xs) = (along("height", 0), along("grid_width", 1));
    let points: Vec<(f64, f64)> = if o.get("listed").text() == "rows" {
        ys.iter().flat_map(|&y| xs.iter().map(move |&x| (y, x))).collect()
    } else {
        xs.iter().flat_map(|&x| ys.iter().map(move |&y| (y, x))).collect()
    };
    let parts = match o.get("blocks").text() {
        "axes" => 1,
        "kinds" => 2,
        _ => o.get("pairs").number() as usize,
    };
    let row = |&(y, x): &(f64, f64)| {
        let sides = if o.get("axes").text() == "yx" { [y, x] } else { [x, y] };
        let halves = sides.map(|side| waves(side, o));
        let size = halves[0].len() / parts;
        let part = |p: usize| [&halves[0][p * size..(p + 1) * size], &halves[1][p * size..(p + 1) * size]].concat();
        (0..parts).flat_map(part).collect()
    };
    Outputs::from([("table", points.iter().map(row).collect::<Rows>())])
}

pub fn alibi(one: &Json) -> Outputs {
    let number = |name| one.get("options").get(name).number() as usize;
    let (heads, length) = (number("heads"), number("length"));
    let whole = 1 << heads.ilog2();
    let power = |h: usize| if h < whole { 8 * (h + 1) } else { 4 * (2 * (h - whole) + 1) } as f64 / whole as f64;
    let slopes: Vec<f64> = (0..heads).map(|h| (-power(h)).exp2()).collect();
    let bias = slopes.iter().map(|slope| (0..length).map(|key| -slope * (length - 1 - key) as f64).collect());
    Outputs::from([("bias", bias.collect()), ("slopes", vec![slopes])])
}

pub fn t5(one: &Json) -> Outputs {
    let o = one.get("options");
    let both = o.get("bidirectional").number() == 1.0;
    let side = o.get("buckets").number() / if both { 2.0 } else { 1.0 };
    let near = side / 2.0;
    let bucket = |place: &Json| {
        let offset = place.list()[0].number();
        let far = if both { offset.abs() } else { (-offset).max(0.0) };
        let upper = if both && offset > 0.0 { side } else { 0.0 };
        let share = (far.max(1.0) / near).ln() / (o.get("max_distance").number() / near).ln();
        upper + if far < near { far } else { (near + (share * (side - near) + 1e-9).floor()).min(side - 1.0) }
    };
    Outputs::from([("buckets", vec![one.get("positions").list().iter().map(bucket).collect()])])
}
