/**
 * Functions that tell how readers with a large font, few colours or a keyboard get on with a page.
 * @module access
 */

/** @param {Element} element */
const shows = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/**
 * The part of the page that the boxes around a text in `element` let through.
 * @param {Element | null} element
 * @param {Map<Element, Box>} known
 * @returns {Box}
 */
function clip(element, known) {
  if (!element || element === document.body) return { left: 0, top: -Infinity, right: innerWidth, bottom: Infinity };
  let box = known.get(element);
  if (box) return box;
  const { overflowX, overflowY, position } = getComputedStyle(element);
  box = { ...clip(position === "fixed" ? null : element.parentElement, known) };
  const rect = element.getBoundingClientRect();
  if (overflowX !== "visible") [box.left, box.right] = [Math.max(box.left, rect.left), Math.min(box.right, rect.right)];
  if (overflowY !== "visible") [box.top, box.bottom] = [Math.max(box.top, rect.top), Math.min(box.bottom, rect.bottom)];
  known.set(element, box);
  return box;
}

/** @typedef {Box & { text: Text }} Line */

/** The lines of the texts that readers see, outside formulas and drawings, from the top. */
function lines() {
  /** @type {Line[]} */
  const found = [];
  const known = new Map();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = /** @type {Text} */ (texts.currentNode);
    const parent = /** @type {Element} */ (text.parentElement);
    if (!text.data.trim() || parent.closest("math, svg, script, style") || !shows(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const open = clip(parent, known);
    for (const rect of range.getClientRects()) {
      const line = {
        left: Math.max(rect.left, open.left), right: Math.min(rect.right, open.right),
        top: Math.max(rect.top, open.top), bottom: Math.min(rect.bottom, open.bottom), text,
      };
      if (line.right - line.left > 1 && line.bottom - line.top > 1) found.push(line);
    }
  }
  return found.sort((a, b) => a.top - b.top);
}

/** Pairs of texts of which one lies on the other by a third of its height. */
export function overlapping() {
  scrollTo(0, 0); // the header stays in its place
  /** @type {Set<string>} */
  const found = new Set();
  /** @type {Line[]} */
  let open = [];
  for (const line of lines()) {
    open = open.filter(({ bottom }) => bottom > line.top);
    for (const other of open) {
      const high = Math.min(line.bottom, other.bottom) - line.top;
      const wide = Math.min(line.right, other.right) - Math.max(line.left, other.left);
      const least = Math.min(line.bottom - line.top, other.bottom - other.top);
      if (wide > 2 && high > least / 3) found.add(`${other.text.data.trim().slice(0, 40)} | ${line.text.data.trim().slice(0, 40)}`);
    }
    open.push(line);
  }
  return [...found];
}

/** The beginnings of texts that end at the edge of a box that does not scroll. */
export function cutOff() {
  return [...document.body.querySelectorAll("*")].filter((element) => {
    if (![...element.childNodes].some((node) => node instanceof Text && node.data.trim())) return false;
    if (element.closest("math, svg") || !shows(element) || element.clientWidth < 2) return false; // for screen readers only
    const { overflowX, overflowY } = getComputedStyle(element);
    const cuts = (/** @type {string} */ overflow) => overflow === "hidden" || overflow === "clip";
    return (cuts(overflowX) && element.scrollWidth > element.clientWidth + 1)
      || (cuts(overflowY) && element.scrollHeight > element.clientHeight + 1);
  }).map((element) => element.outerHTML.slice(0, 120));
}

/** In forced colours: icons in the colour of the ground, fields without an edge, drawings in one colour. */
export function lostInForcedColours() {
  const ground = getComputedStyle(document.body).backgroundColor;
  const rgb = (/** @type {string} */ colour) => String(colour.match(/[\d.]+/g)?.slice(0, 3));
  const all = [...document.body.querySelectorAll("*")].filter(shows);
  const icons = all.filter((element) => ["::before", "::after"].some((part) => {
    const { content, display, maskImage, backgroundColor } = getComputedStyle(element, part);
    return display !== "none" && content !== "none" && maskImage !== "none" && rgb(backgroundColor) === rgb(ground);
  }));
  const edged = (/** @type {Element | null} */ element) => {
    const { borderTopStyle, outlineStyle } = getComputedStyle(/** @type {Element} */ (element));
    return borderTopStyle !== "none" || outlineStyle !== "none";
  };
  const typed = all.filter((element) => element.matches("select, textarea, input:not([type=radio], [type=checkbox], [type=range], [type=file])"));
  const fields = typed.filter((field) => !edged(field) && !edged(field.parentElement));
  const drawings = all.filter((element) => element.matches(".pf-stage > svg") && getComputedStyle(element).forcedColorAdjust === "auto");
  return [...icons, ...fields, ...drawings].map((element) => element.outerHTML.slice(0, 120));
}

/** The elements that would move, or scroll the page smoothly. */
export function moving() {
  return [...document.querySelectorAll("*")].filter((element) => [null, "::before", "::after"].some((part) => {
    const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element, part);
    return /[1-9]/.test(transitionDuration) || animationName !== "none" || scrollBehavior === "smooth";
  })).map((element) => element.outerHTML.slice(0, 80));
}
