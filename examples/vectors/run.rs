//! Runs posenc-vectors in Rust: rustc --edition 2021 -O run.rs && ./run FOLDER
//!
//! rotary.rs and tables.rs compute the outputs; put your own code in their place. A case passes if
//! each of its right outputs is within the tolerance, and each mutant, the output of a slip, is not.

mod json;
mod rotary;
mod tables;

use json::{Json, read};
use rotary::{Outputs, Rows};

/// The numbers of one tensor of a safetensors file, as one long row.
fn tensor(file: &[u8], name: &str) -> Vec<f64> {
    let begin = 8 + u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
    let header = read(&file[..begin], &mut 8);
    let entry = header.get(name);
    let offsets = entry.get("data_offsets").numbers();
    let content = &file[begin + offsets[0] as usize..begin + offsets[1] as usize];
    if entry.get("dtype").text() == "F64" {
        content.chunks(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap())).collect()
    } else {
        content.chunks(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()) as f64).collect()
    }
}

/// The rows of an array at a place: where it begins, and its two axes.
fn part(numbers: &[f64], place: &Json) -> Rows {
    let place: Vec<usize> = place.numbers().iter().map(|&x| x as usize).collect();
    numbers[place[0]..place[0] + place[1] * place[2]].chunks(place[2]).map(<[f64]>::to_vec).collect()
}

fn outputs(one: &Json, numbers: &[f64]) -> Outputs {
    let given = |name| part(numbers, one.get("input").get(name));
    match one.get("kind").text() {
        "sinusoidal" => tables::sinusoidal(one),
        "grid" => tables::grid(one),
        "alibi" => tables::alibi(one),
        "t5" => tables::t5(one),
        _ => rotary::rotated(one, given("q"), given("k")),
    }
}

/// Whether each row is within its tolerance.
fn agrees(mine: &Rows, expected: &Rows, tolerance: &[f64], relative: bool) -> bool {
    expected.iter().enumerate().all(|(i, row)| {
        row.iter().enumerate().all(|(j, value)| {
            let allowed = tolerance[i] * if relative { value.abs() } else { 1.0 };
            (mine[i][j] - value).abs() <= allowed
        })
    })
}

fn main() {
    let folder = std::env::args().nth(1).expect("the folder of the vectors");
    let text = std::fs::read(format!("{folder}/cases.json")).unwrap();
    let arrays = std::fs::read(format!("{folder}/arrays.safetensors")).unwrap();
    let (doubles, singles) = (tensor(&arrays, "float64"), tensor(&arrays, "float32"));
    let held = read(&text, &mut 0);
    let relative: Vec<&str> = held.get("relative").list().iter().map(Json::text).collect();
    let (mut mutants, mut failed) = (0, 0);
    for one in held.get("cases").list() {
        let mine = outputs(one, &doubles);
        let mut found = vec![];
        for name in one.get("output").names() {
            let tolerance = one.get("tolerance").get("float64").get(name).numbers();
            let expected = part(&doubles, one.get("output").get(name));
            if !agrees(&mine[name], &expected, &tolerance, relative.contains(&name)) {
                found.push(format!("{name} is wrong"));
            }
        }
        for mutant in one.get("mutants").list() {
            let name = mutant.get("output").text();
            let tolerance = one.get("tolerance").get("float32").get(name).numbers();
            let slipped = part(&singles, mutant.get("values"));
            if agrees(&mine[name], &slipped, &tolerance, relative.contains(&name)) {
                found.push(format!("accepts a mutant: {}", mutant.get("words").text()));
            }
        }
        mutants += one.get("mutants").list().len();
        failed += usize::from(!found.is_empty());
        let name = one.get("name").text();
        println!("{}", if found.is_empty() { format!("pass {name}") } else { format!("FAIL {name}: {}", found.join("; ")) });
    }
    println!("{} cases, {mutants} mutants, {failed} failed", held.get("cases").list().len());
    std::process::exit(i32::from(failed > 0));
}
