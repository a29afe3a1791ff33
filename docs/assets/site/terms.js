/**
 * A link to the glossary shows the definition of its term: on hover and focus, and at the first tap.
 *
 * The definitions come from the glossary's own page, which loads when the reader first wants one.
 * Without this module, or if the page does not come, the link leads to the definition.
 */

const LATER = 200; // ms: time to move the pointer from the term to its definition

const tip = document.createElement("div");
tip.className = "term-tip";
tip.id = "term-tip";
tip.setAttribute("role", "tooltip");

/** @type {HTMLAnchorElement | null} */
let shown = null;
/** @type {HTMLAnchorElement | null} a term that a finger touches, without its definition */
let touched = null;
/** @type {number | undefined} */
let leaving;

/** @param {EventTarget | null} target @returns {HTMLAnchorElement | null} */
function term(target) {
  return target instanceof Element ? target.closest("a.term") : null;
}

/** Put the definition below its term, or above where there is more room. */
function place() {
  const frame = tip.offsetParent, line = shown?.getClientRects()[0];
  if (!frame || !line) return;
  const around = frame.getBoundingClientRect();
  const left = Math.max(0, Math.min(line.left - around.left, frame.clientWidth - tip.offsetWidth));
  const below = line.bottom + tip.offsetHeight + 8 <= innerHeight || line.top < innerHeight / 2;
  const top = below ? line.bottom + 4 : line.top - tip.offsetHeight - 4;
  Object.assign(tip.style, { left: `${left}px`, top: `${top - around.top}px` });
}

/** @param {HTMLAnchorElement} link */
async function show(link) {
  clearTimeout(leaving);
  if (shown === link) return;
  hide();
  shown = link;
  try {
    const { definition } = await import("./definitions.js");
    tip.replaceChildren(...await definition(link));
  } catch (error) {
    if (shown === link) shown = null;
    link.classList.remove("term"); // the next tap follows it
    console.warn(error);
    return;
  }
  if (shown !== link) return;
  link.closest("article")?.append(tip);
  link.setAttribute("aria-describedby", tip.id);
  place();
}

function hide() {
  clearTimeout(leaving);
  shown?.removeAttribute("aria-describedby");
  tip.remove();
  shown = null;
}

document.addEventListener("pointerover", (event) => {
  const link = term(event.target);
  if (event.pointerType === "touch") return;
  if (link) show(link);
  else if (tip.contains(/** @type {Node} */ (event.target))) clearTimeout(leaving);
  else if (shown && shown !== document.activeElement) {
    clearTimeout(leaving);
    leaving = setTimeout(hide, LATER);
  }
});
document.addEventListener("pointerdown", (event) => {
  const link = term(event.target);
  touched = event.pointerType === "touch" && link !== shown ? link : null;
  if (!link && !tip.contains(/** @type {Node} */ (event.target))) hide();
});
document.addEventListener("click", (event) => {
  const link = term(event.target);
  if (!link || link !== touched) return;
  event.preventDefault();
  show(link);
});
document.addEventListener("focusin", (event) => {
  const link = term(event.target);
  if (link) show(link);
});
document.addEventListener("focusout", (event) => { if (term(event.target) === shown) hide(); });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
