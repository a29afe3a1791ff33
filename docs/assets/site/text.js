/**
 * Text that changes often.
 */

/**
 * Set a text that changed. The text node stays, because the browser examines every rule with
 * `:has()` anew for a node that comes or goes.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  const { firstChild: only } = element;
  if (element.textContent === text) return;
  if (only instanceof Text && !only.nextSibling) only.data = text;
  else element.textContent = text;
}
