/**
 * Functions with which tests compare styles.
 * @module styles
 */

/** Each element that the page shows, and the computed style of it and of its pseudo-elements. */
export function computed() {
  // The build may drop an unused variable.
  const names = Array.from(getComputedStyle(document.body)).filter((name) => !name.startsWith("--"));
  return Array.from(document.body.querySelectorAll("*"), (element) => [null, "::before", "::after"].map((part) => {
    const style = getComputedStyle(element, part);
    if (part && style.content === "none") return "";
    const values = names.map((name) => `${name}: ${style.getPropertyValue(name)}`);
    return [`${element.tagName}.${element.className}${part ?? ""}`, ...values].join("\n");
  }).join("\n"));
}

/** A name and a number for each style: megabytes of text take long to reach the test. */
export function looks() {
  return computed().map((style) => {
    let hash = 0;
    for (let place = 0; place < style.length; place += 1) {
      hash = Math.imul(hash ^ style.charCodeAt(place), 16777619);
    }
    return `${style.split("\n", 1)[0]} ${hash}`;
  });
}

/**
 * The beginnings of the styles that change if the `sheets` take the place of those of the page.
 * @param {Record<string, string>} sheets by the name of their file
 */
export function restyled(sheets) {
  const before = computed();
  for (const link of document.head.querySelectorAll("link")) {
    const sheet = sheets[link.href.split("/").at(-1) ?? ""];
    if (link.rel === "stylesheet" && sheet) {
      link.replaceWith(Object.assign(document.createElement("style"), { textContent: sheet }));
    }
  }
  const after = computed();
  return before.filter((style, index) => style !== after[index]).map((style) => style.slice(0, 80));
}

/**
 * The rules of a stylesheet as the browser reads them; it keeps the spaces in the arguments of var().
 * @param {string} text
 */
export function rules(text) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return Array.from(sheet.cssRules, (rule) => rule.cssText.replaceAll(", ", ","));
}
