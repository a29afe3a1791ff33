/**
 * Functions with which tests read and operate any page of the site.
 * @module page
 */

/** Wait until the page has answered the last event: two frames, for observers of sizes too, and transitions. */
export async function answered() {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
  await Promise.allSettled(transitions.map((one) => one.finished));
}

/** Wait until the page has loaded, with its stylesheets and scripts. */
export async function loaded() {
  if (document.readyState !== "complete") await new Promise((done) => addEventListener("load", done));
}

/** What is wrong with the maths font, which loads once it is needed. @param {boolean} isBuilt whether the site has it */
export async function fontFaults(isBuilt) {
  const formula = document.querySelector("math");
  if (!formula || !isBuilt) return [];
  await Promise.all([...document.fonts].map((face) => face.load()));
  const faces = Array.from(document.fonts, ({ family, status }) => ({ family, status }));
  const used = getComputedStyle(formula).fontFamily;
  const isThere = faces.length === 1 && faces[0].status === "loaded" && used.includes(faces[0].family);
  return isThere ? [] : [{ faces, used }];
}

export function openFolds() {
  for (const fold of document.querySelectorAll("details")) if (fold.closest("article")) fold.open = true;
}

/** @param {Element} element */
const isSeen = (element) => {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
};

/** @param {Element} element */
const begin = (element) => element.outerHTML.slice(0, 120);

/** The elements that are seen, or those that are not. @param {string} selector @param {boolean} wanted */
const which = (selector, wanted) => [...document.querySelectorAll(selector)].filter((e) => isSeen(e) === wanted).map(begin);

/** What is wrong on a sheet of paper, by kind. @param {string} controls */
export function onPaper(controls) {
  return {
    "pictures that are not printed": which(".pf-stage > svg", false),
    "figures without a picture": [...document.querySelectorAll(".pf:not(:has(.pf-stage > svg))")].map(begin),
    "plots that are printed": which(".pf-plot", true),
    "controls that are printed": which(controls, true),
    "texts that are not printed": unseen(),
    "tables wider than the sheet": [...document.querySelectorAll(".table-scroll")].filter((e) => e.scrollWidth > e.clientWidth).map(begin),
    "words cut on paper": cutWords(),
  };
}

/** What is wrong without JavaScript, by kind; it opens the folds. @param {string} controls */
export function withoutScripts(controls) {
  for (const summary of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("article details:not([open]) > summary"))) {
    summary.click();
  }
  return {
    "folds that stay closed": [...document.querySelectorAll("article details:not([open])")].map(begin),
    "pictures that are not there": which(".pf-stage > svg, .lm-still, .thumb", false),
    "controls that do nothing": which(controls, true),
    "texts that are not there": unseen(),
    "words or pictures of noscript that are not there": which("article noscript :is(p, img)", false),
    "pages that do not say that they need scripts": [...document.querySelectorAll(":is(.ex, .we):not(:has(noscript p))")].map(begin),
    "room for sliders that never come": [...document.querySelectorAll(".sliders .pf")].filter((e) => gap(e) >= 2).map(begin),
    "room for views that never come": [...document.querySelectorAll(".ex")].filter((e) => below(e) > 300).map(begin),
  };
}

/** The room below the last picture in `host`. @param {Element} host */
function below(host) {
  const last = /** @type {Element} */ ([...host.querySelectorAll("img")].at(-1));
  return host.getBoundingClientRect().bottom - last.getBoundingClientRect().bottom;
}

/** The space between the figure and its caption, in lines of the caption. @param {Element} figure */
function gap(figure) {
  const caption = /** @type {Element} */ (figure.querySelector("figcaption"));
  const stage = /** @type {Element} */ (figure.querySelector(".pf-stage"));
  const space = caption.getBoundingClientRect().top - stage.getBoundingClientRect().bottom;
  return space / parseFloat(getComputedStyle(caption).lineHeight);
}

/** The beginnings of the article's texts that are not visible, except words about controls. */
export function unseen() {
  const all = [...document.querySelectorAll("article :is(p, li, td, th, math, h1, h2, h3)")];
  return all
    .filter((e) => !e.closest(".scripted, .ask-form"))
    .filter((e) => !e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })
      || e.getBoundingClientRect().height === 0)
    .map((e) => (e.textContent ?? "").trim().slice(0, 60)).filter(Boolean);
}

/**
 * Whether readers see the middle of `element`.
 * @param {Element} element
 */
export function inView(element) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return element.contains(seen);
}

/** Three elements that make the page scroll sideways, if it does. */
export function overflowing() {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll("article *")]
    .filter((e) => e.getBoundingClientRect().right > clientWidth)
    .map((e) => e.outerHTML.slice(0, 120));
  return ["the page scrolls sideways", ...wide.slice(0, 3)];
}

/**
 * What axe finds. It measures no contrast on a gradient, such as the shadows at the edges of code, so
 * it sees the colours below.
 * @param {string} within a selector
 */
export async function violations(within) {
  // In a scrolled page the header covers half of some link, and so does the title of a scrolled sidebar.
  scrollTo(0, 0);
  await answered(); // the table of contents follows the page
  for (const sidebar of document.querySelectorAll(".md-sidebar__scrollwrap")) sidebar.scrollTop = 0;
  const rules = { "target-size": { enabled: true } };
  const flat = new CSSStyleSheet();
  flat.replaceSync("*, ::before, ::after { background-image: none !important }");
  document.adoptedStyleSheets.push(flat);
  const found = await axe.run(within, { resultTypes: ["violations"], rules });
  document.adoptedStyleSheets.pop();
  return found.violations.map(({ id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary]);
}

/** The title and the value of each number and each claim, and the text of the expression beside it. */
export function expressions() {
  return Array.from(document.querySelectorAll("data"), (data) => {
    const beside = data.nextElementSibling;
    return [data.title, data.value, beside?.matches("code.expression") ? beside.textContent : null];
  });
}

/** What is wrong on a narrow screen as long as all expressions are shown. */
export async function expressionFaults() {
  const button = /** @type {HTMLElement} */ (document.querySelector(".expressions-toggle"));
  const times = (/** @type {string} */ text) => text.split(" = ").length;
  const isRight = (/** @type {[string, string, string]} */ [title, value, code]) => (title
    ? title.startsWith(`${code} = `) && times(title) === times(code) + 1 : code.startsWith(`${value} holds`));
  const states = [];
  /** @type {unknown[]} */
  let found = [];
  for (const shows of [true, false]) {
    states.push(button.getAttribute("aria-pressed"));
    button.click();
    await answered();
    const all = /** @type {any[]} */ (expressions());
    const wrong = all.filter((one) => (shows ? !one[2] || !isRight(one) : one[2]));
    found = [...found, ...wrong, ...overflowing(), ...cutWords()];
  }
  if (document.querySelector("data") && String(states) !== "false,true") found.push({ states });
  return found;
}

/** @param {string} href of a link in the navigation */
export function follow(href) {
  const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".md-nav a"));
  [...links].find((link) => link.href === href)?.click();
}

/**
 * Focus one element of each kind that the Tab key reaches; the result lists those without an
 * outline. After a press of a key, browsers show a focus that a script sets as well.
 *
 * Material's search opens in focus, and shows it by its ground; Plotly's buttons show only under
 * the pointer.
 */
export function withoutOutline() {
  const reachable = ["a[href]", "button", "input", "textarea", "select", "summary", "[tabindex]"];
  const theirs = ".md-search *, .modebar-btn";
  const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`:is(${reachable}):not(${theirs})`));
  /** @type {Map<string, HTMLElement>} */
  const kinds = new Map();
  for (const element of all) {
    const { tabIndex, tagName, className, parentElement } = element;
    const kind = `${tagName} ${className} in ${parentElement?.tagName} ${parentElement?.className}`;
    const visible = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (tabIndex >= 0 && visible && !kinds.has(kind)) kinds.set(kind, element);
  }
  return [...kinds.values()].filter((element) => {
    element.focus({ preventScroll: true });
    if (!element.matches(":focus-visible")) return true;
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return outlineStyle === "none" || parseFloat(outlineWidth) < 1 || outlineColor.endsWith(", 0)");
  }).map((element) => element.outerHTML.slice(0, 120));
}

/** How many characters stand in each line of the article's paragraphs, without the last line of each. */
export function lineLengths() {
  return [...document.querySelectorAll("article > p:not([class])")].flatMap((paragraph) => {
    /** @type {Map<number, number>} */
    const lines = new Map();
    const texts = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = /** @type {Text} */ (texts.currentNode);
      if (text.parentElement?.closest("math, .headerlink")) return []; // no characters of one line
      for (let at = 0; at < text.length; at++) {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        const { bottom, width } = range.getBoundingClientRect();
        const line = [...lines.keys()].find((one) => Math.abs(one - bottom) < 8) ?? bottom;
        if (width) lines.set(line, (lines.get(line) ?? 0) + 1);
      }
    }
    return [...lines.values()].slice(0, -1);
  });
}

/** Show every part of the page for two frames, so that all loads what waits for the reader. */
export async function scrollThrough() {
  for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
    scrollTo(0, y);
    await answered();
  }
}

/** What the page has moved so far without an input: the share of the window, and elements that moved. */
export async function shifts() {
  /** @type {any[]} */
  const entries = [];
  const observer = new PerformanceObserver((list) => { entries.push(...list.getEntries()); });
  observer.observe({ type: "layout-shift", buffered: true });
  await answered();
  return entries.filter((entry) => !entry.hadRecentInput).map(({ value, sources }) => ({
    value,
    moved: sources.map((/** @type {{ node: any }} */ { node }) => node?.outerHTML?.slice(0, 80)),
  }));
}

/** What does not fit the window. */
export const unfit = () => [...overflowing(), ...cutWords()];

/** The words in the code of tables that two lines share, though no line may break in them. */
export function cutWords() {
  /** @param {Range} range */
  const lines = (range) => new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size;
  const cut = [];
  for (const code of document.querySelectorAll(".table-scroll code")) {
    const range = document.createRange();
    range.selectNodeContents(code);
    if (lines(range) < 2 || !code.checkVisibility()) continue;
    const walk = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      for (const word of (node.textContent ?? "").matchAll(/\[?[^\s/?[-]+/g)) { // browsers break after these signs, and before a bracket
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        if (lines(range) > 1) cut.push(word[0]);
      }
    }
  }
  return cut;
}
