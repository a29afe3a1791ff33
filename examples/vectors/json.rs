//! A small reader of JSON: numbers, texts, lists and objects; enough for posenc-vectors.

pub enum Json {
    Nothing,
    Truth(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

pub static NOTHING: Json = Json::Nothing;

impl Json {
    /// The value of a name; `NOTHING` if it is missing or null.
    pub fn get(&self, name: &str) -> &Json {
        match self {
            Json::Object(held) => held.iter().find(|(key, _)| key == name).map_or(&NOTHING, |(_, value)| value),
            _ => &NOTHING,
        }
    }
    pub fn is_there(&self) -> bool {
        !matches!(self, Json::Nothing)
    }
    pub fn list(&self) -> &[Json] {
        match self {
            Json::List(items) => items,
            _ => &[],
        }
    }
    pub fn names(&self) -> Vec<&str> {
        match self {
            Json::Object(held) => held.iter().map(|(name, _)| name.as_str()).collect(),
            _ => vec![],
        }
    }
    pub fn text(&self) -> &str {
        match self {
            Json::Text(words) => words,
            _ => "",
        }
    }
    /// A number, 1 or 0 for true or false, `otherwise` if nothing is there.
    pub fn or(&self, otherwise: f64) -> f64 {
        match self {
            Json::Number(value) => *value,
            Json::Truth(value) => f64::from(*value as u8),
            _ => otherwise,
        }
    }
    pub fn number(&self) -> f64 {
        self.or(f64::NAN)
    }
    pub fn numbers(&self) -> Vec<f64> {
        self.list().iter().map(Json::number).collect()
    }
}

/// The value that begins at `place`, which moves behind it.
pub fn read(source: &[u8], place: &mut usize) -> Json {
    match next(source, place) {
        first @ (b'{' | b'[') => {
            *place += 1;
            let (mut names, mut items) = (vec![], vec![]);
            while !matches!(next(source, place), b'}' | b']') {
                if first == b'{' {
                    names.push(quoted(source, place));
                    next(source, place);
                    *place += 1; // the colon
                }
                items.push(read(source, place));
                if next(source, place) == b',' {
                    *place += 1;
                }
            }
            *place += 1;
            if first == b'{' { Json::Object(names.into_iter().zip(items).collect()) } else { Json::List(items) }
        }
        b'"' => Json::Text(quoted(source, place)),
        b't' => word(place, 4, Json::Truth(true)),
        b'f' => word(place, 5, Json::Truth(false)),
        b'n' => word(place, 4, Json::Nothing),
        _ => {
            let length = source[*place..].iter().take_while(|c| b"+-.0123456789eE".contains(c)).count();
            let digits = std::str::from_utf8(&source[*place..*place + length]).unwrap();
            word(place, length, Json::Number(digits.parse().unwrap()))
        }
    }
}

fn word(place: &mut usize, length: usize, value: Json) -> Json {
    *place += length;
    value
}

fn next(source: &[u8], place: &mut usize) -> u8 {
    while source[*place].is_ascii_whitespace() {
        *place += 1;
    }
    source[*place]
}

fn quoted(source: &[u8], place: &mut usize) -> String {
    next(source, place);
    let mut found = vec![];
    *place += 1;
    while source[*place] != b'"' {
        if source[*place] == b'\\' {
            *place += 1; // escapes stand for themselves here
        }
        found.push(source[*place]);
        *place += 1;
    }
    *place += 1;
    String::from_utf8(found).unwrap()
}
