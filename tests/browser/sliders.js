/**
 * Functions with which tests read and operate the figures with sliders.
 * @module sliders
 */

/**
 * The name of each slider, the text beside it, and what a screen reader hears, once the page has drawn them.
 * @param {Element} host
 * @param {number | null} share of their ranges, to which the sliders move first, as a reader moves them
 */
export async function moved(host, share) {
  const sliders = [.../** @type {NodeListOf<HTMLInputElement>} */ (host.querySelectorAll("input[type=range]"))];
  for (const slider of sliders) {
    if (share === null) break;
    slider.value = String(Math.round(share * Number(slider.max)));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  return sliders.map((slider) => [
    slider.id.replace("slider-", ""), slider.nextElementSibling?.textContent, slider.getAttribute("aria-valuetext"),
  ]);
}

/** The value and the place of each labelled tick, by axis. @param {Element} stage */
export function ticks(stage) {
  const ups = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  /** @param {string} text */
  const power = (text) => Number([...text].map((c) => c === "⁻" ? "-" : ups.indexOf(c)).join(""));
  /** @param {string} text */
  const value = (text) => /^10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]/.test(text) ? 10 ** power(text.slice(2))
    : Number(text.replace("−", "-").replaceAll(",", ""));
  /** @type {{ x: number[][], y: number[][] }} */
  const found = { x: [], y: [] };
  for (const use of stage.querySelectorAll("use")) {
    const label = /** @type {SVGElement | null} */ (use.matches("use:has(+ text)") ? use.nextElementSibling : null);
    const labelled = label ? value(label.textContent ?? "") : NaN;
    if (!label || Number.isNaN(labelled)) continue;
    const side = label.style.textAnchor === "middle" ? "x" : "y";
    found[side].push([labelled, Number(use.getAttribute(side))]);
  }
  return found;
}

/** @param {Element[]} all @param {string[]} names */
export function attributes(all, names) {
  return all.map((e) => names.map((name) => e.getAttribute(name)));
}

/** The width and the colours of an SVG's picture. @param {SVGImageElement} image */
export async function pixels(image) {
  const picture = new Image();
  picture.src = image.href.baseVal;
  await picture.decode();
  const { width, height } = picture;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.drawImage(picture, 0, 0);
  return [width, [...context.getImageData(0, 0, width, height).data]];
}

/** Whether a redrawn picture lies where the published one does. @param {Element} image */
export function inPlace(image) {
  return ["transform", "width", "height"]
    .every((name) => image.getAttribute(name) === image.previousElementSibling?.getAttribute(name));
}

/** Each stage's class, and the elements in it that are visible. @param {Element} host */
export function shown(host) {
  return Array.from(host.querySelectorAll(".pf-stage"), (stage) => {
    const copy = /** @type {Element} */ (stage.cloneNode(true));
    const copies = copy.querySelectorAll("*");
    [...stage.querySelectorAll("*")].forEach((e, index) => {
      if (!e.checkVisibility() && !e.closest("defs")) copies[index].remove();
    });
    return [stage.className, copy.innerHTML];
  });
}

/** Whether any, and whether all, of the elements have a place in the page. @param {Element[]} all */
export function displayed(all) {
  const seen = all.map((e) => getComputedStyle(e).display !== "none");
  return [seen.some(Boolean), seen.every(Boolean)];
}

/** The numbers and texts of each published line and of the line that stands in for it. @param {Element} host */
export function lines(host) {
  /** @param {Element} e */
  const numbers = (e) => [...e.querySelectorAll(":not(defs) > :is(path[style], use)")].flatMap((part) => {
    const place = part.getAttribute("d") ?? `${part.getAttribute("x")} ${part.getAttribute("y")}`;
    return (place.match(/-?[\d.]+/g) ?? []).map(Number);
  });
  return Array.from(host.querySelectorAll("g.redrawn"), (old) => {
    const copy = /** @type {Element} */ (old.nextElementSibling);
    return [copy.classList[0], numbers(old), numbers(copy), old.textContent, copy.textContent];
  });
}

/** The parts of the drawing and of the panel that lie outside the window. @param {Element} host */
export function outside(host) {
  const parts = host.querySelectorAll(":is(.redrawing text, .redrawing circle, .sliders-panel *)");
  return [...parts].filter((e) => {
    const box = e.getBoundingClientRect();
    return box.left < 0 || box.right > innerWidth;
  }).map((e) => e.outerHTML);
}

/** The colours of the drawing's circles. @param {Element} host */
export function fills(host) {
  return Array.from(host.querySelectorAll("circle"), (e) => getComputedStyle(e).fill);
}

/**
 * Bring `slider` to the middle of the window, and wait until it stays at one place: after a scroll,
 * figures that come near take their room, and what is scrolled may still move.
 * @param {Element} slider
 * @returns {Promise<DOMRect>} its place
 */
export async function middle(slider) {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  slider.scrollIntoView({ block: "center", behavior: "instant" });
  let place = slider.getBoundingClientRect();
  for (let still = 0; still < 10; still += 1) {
    await frame();
    const next = slider.getBoundingClientRect();
    if (next.y !== place.y) still = 0;
    place = next;
  }
  return place;
}

/** The heights of each panel, now and as the page has it before its script comes. */
export async function heights() {
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  const height = (/** @type {Element} */ panel) => panel.getBoundingClientRect().height;
  return [...document.querySelectorAll(".sliders-panel")].map((panel, index) => {
    const built = document.importNode(page.querySelectorAll(".sliders-panel")[index], true);
    const now = height(panel);
    panel.replaceWith(built);
    const before = height(built);
    built.replaceWith(panel);
    return [now, before];
  });
}
