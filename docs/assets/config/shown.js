/**
 * Values of JSON as Python prints them, cut as in the package's messages (Python's `reprlib`), and numbers as the page prints them.
 */

/** How many entries or characters are shown. */
const MOST = { list: 6, dict: 4, string: 30, integer: 40, levels: 2, text: 120 };

/** A float as Python prints it. @param {number} value */
export function float(value) {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [digits, power] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

/** A number as Python prints it. @param {number | bigint} value */
export const number = (value) => (typeof value === "bigint" ? String(value) : float(value));

/** A string as Python prints it. @param {string} text */
function quoted(text) {
  const quote = text.includes("'") && !text.includes("\"") ? "\"" : "'";
  const inside = [...text].map((char) => {
    if (char === quote || char === "\\") return `\\${char}`;
    const known = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[char];
    if (known) return known;
    if (char === " " || !/[\p{C}\p{Z}]/u.test(char)) return char;
    const code = /** @type {number} */ (char.codePointAt(0)).toString(16);
    return code.length < 3 ? `\\x${code.padStart(2, "0")}` : code.length < 5 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
  });
  return quote + inside.join("") + quote;
}

/** The least and the greatest; a function takes no more than some 100,000 arguments. @param {number[]} values */
export const extremes = (values) => [values.reduce((least, value) => Math.min(least, value)), values.reduce((most, value) => Math.max(most, value))];

/** The beginning and the end of a text that is too long. @param {string[]} chars @param {number} most */
function ends(chars, most) {
  const head = Math.floor((most - 3) / 2);
  return [chars.slice(0, head).join(""), chars.slice(chars.length - (most - 3 - head)).join("")];
}

/** @param {string} text */
function string(text) {
  const chars = [...text];
  const whole = quoted(chars.slice(0, MOST.string).join(""));
  if ([...whole].length <= MOST.string) return whole;
  const cut = [...quoted(ends(chars, MOST.string).join(""))];
  return ends(cut, MOST.string).join("...");
}

/** @param {bigint} value */
function integer(value) {
  const digits = [...String(value)];
  if (digits.length <= MOST.integer) return digits.join("");
  return ends(digits, MOST.integer).join("...");
}

/**
 * Entries between brackets, the first ones if there are many.
 * @param {string} open
 * @param {string} close
 * @param {any[]} entries
 * @param {number} most
 * @param {(entry: any) => string} text
 */
function bracketed(open, close, entries, most, text) {
  const pieces = entries.slice(0, most).map(text);
  if (entries.length > most) pieces.push("...");
  return open + pieces.join(", ") + close;
}

/** @param {string} one @param {string} other in Python's order of code points */
function byCode(one, other) {
  const [left, right] = [[...one], [...other]].map((chars) => chars.map((char) => char.codePointAt(0) ?? 0));
  const place = left.findIndex((code, at) => code !== right[at]);
  return place < 0 ? left.length - right.length : left[place] - (right[place] ?? -1);
}

/** A short text of `value` for a message, as `posenc` writes it. @param {any} value */
export function shown(value) {
  const chars = [...written(value, MOST.levels)];
  return chars.length <= MOST.text ? chars.join("") : ends(chars, MOST.text).join("...");
}

/** @param {any} value @param {number} levels @returns {string} */
function written(value, levels) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return string(value);
  if (typeof value === "bigint") return integer(value);
  if (typeof value === "number") return float(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? "[]" : "{}";
  if (!levels && (isList ? value.length : value.size)) return `${open}...${close}`;
  if (isList) return bracketed(open, close, value, MOST.list, (entry) => written(entry, levels - 1));
  const keys = [...value.keys()].sort(byCode);
  return bracketed(open, close, keys, MOST.dict, (key) => `${written(key, levels - 1)}: ${written(value.get(key), levels - 1)}`);
}

// Numbers in the format of the page

/** With at most `digits` digits, commas and a real minus sign. @param {number | bigint} value @param {number} [digits] */
export function numeral(value, digits = 7) {
  const number = Number(value);
  if (!Number.isFinite(number)) return number > 0 ? "infinite" : String(number);
  const size = Math.abs(number);
  if (size && (size < 1e-3 || size >= 1e15)) {
    const [first, power] = number.toExponential(digits - 1).split("e");
    return `${String(Number(first))} × 10${raised(power.replace("+", ""))}`.replace("-", "−");
  }
  return number.toLocaleString("en", { maximumSignificantDigits: Math.max(digits, 1) }).replace("-", "−");
}

/** @param {string | number} power */
export const raised = (power) => [...String(power)].map((char) => (char === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(char)])).join("");

/** @param {string[]} names */
export const listed = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`);
