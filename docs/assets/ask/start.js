/**
 * An exercise that answers: the reader gives a number or chooses, and hears whether it is right, which
 * slip it is, or that it is wrong.
 *
 * The list at the start of the exercise's fold has the answers. Numbers: the right one first, then
 * those of slips. Choices: the right ones in bold, the others in italics.
 */

/** @typedef {{ value: number, within: number, isShare: boolean, about: string }} Known a number, and how near to it counts */

/** What an item of the list says behind its answer and a colon, as HTML. @param {Element} item */
function about(item) {
  const rest = /** @type {Element} */ (item.cloneNode(true));
  rest.querySelector("data, strong, em")?.remove();
  return rest.innerHTML.replace(/^[^:<]*:\s*/, "").replace(/^[a-z]/, (letter) => letter.toUpperCase());
}

/** @param {Element} item @param {number} share of the value that counts as equal @returns {Known} */
function known(item, share) {
  const data = /** @type {HTMLDataElement} */ (item.querySelector("data"));
  const text = data.textContent ?? "";
  const isShare = /%/.test(text);
  const decimals = (/[.](\d+)/.exec(text)?.[1].length ?? 0) + (isShare ? 2 : 0);
  const value = Number(data.value);
  const within = Math.max(0.51 * 10 ** -decimals, Math.abs(value) * share);
  return { value, within, isShare, about: about(item) };
}

/**
 * The number that the reader wrote, such as 60,611.5 or 3/8 or 25 %; NaN for anything else.
 * @param {string} text @param {boolean} isShare whether the answer is shown in per cent
 */
export function parsed(text, isShare) {
  const [, top, below = "1", per] = /^([-+\d.e]+)(?:\/([\d.]+))?(%?)$/i.exec(text.replace(/[\s,_]/g, "").replace("−", "-")) ?? [];
  const value = Number(top ?? NaN) / Number(below);
  return per || isShare && Math.abs(value) > 1 ? value / 100 : value;
}

/** @param {Known[]} all the right number, then those of slips @param {string} text @returns {[string, boolean]} */
export function judged(all, text) {
  const given = parsed(text, all[0].isShare);
  if (Number.isNaN(given)) return ["Write a number, such as 12.5 or 3/8.", false];
  const found = all.findIndex(({ value, within }) => Math.abs(given - value) <= within);
  if (found === 0) return [`<b>Right.</b> ${all[0].about}`, true];
  if (found > 0) return [`<b>Nearly.</b> ${all[found].about}`, false];
  const { value } = all[0];
  const isNear = Math.abs(given - value) <= Math.abs(value) / 20;
  return [`<b>${isNear ? "Nearly." : "Not yet."}</b> It is too ${given < value ? "small" : "large"}.`, false];
}

/** @param {HTMLElement} host */
export function start(host) {
  const fold = /** @type {HTMLDetailsElement} */ (host.querySelector("details"));
  const items = [.../** @type {Element} */ (fold.querySelector("ul")).children];
  const form = document.createElement("form");
  form.className = "ask-form";
  const isNumber = items[0].querySelector("data") === items[0].querySelector("data, strong, em");
  const id = `ask-${[...document.querySelectorAll("[data-live='ask/start']")].indexOf(host)}`;
  form.innerHTML = isNumber
    ? `<label for="${id}">Your answer</label><input id="${id}" inputmode="decimal" autocomplete="off"><button class="md-button">Check</button>`
    : `<fieldset><legend>Your answer</legend>${items.map((item, index) => `<button class="md-button" type="button" value="${index}" aria-pressed="false">${item.querySelector("strong, em")?.innerHTML}</button>`).join("")}</fieldset>`;
  const verdict = document.createElement("output");
  verdict.setAttribute("for", id);
  form.append(verdict);

  /** @param {[string, boolean]} said */
  function say([text, isRight]) {
    verdict.innerHTML = text;
    form.classList.toggle("is-right", isRight);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const all = items.filter((item) => item.querySelector("data")).map((item) => known(item, Number(host.dataset.within ?? 0.005)));
    if (isNumber) say(judged(all, /** @type {HTMLInputElement} */ (form.querySelector("input")).value));
  });
  form.addEventListener("click", ({ target }) => {
    const button = /** @type {Element} */ (target).closest("button");
    if (isNumber || !button) return;
    for (const other of form.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
    const item = items[Number(button.value)];
    const isRight = item.querySelector("strong, em")?.matches("strong") ?? false;
    say([`<b>${isRight ? "Right." : "Not so."}</b> ${about(item)}`, isRight]);
  });
  fold.before(form);
}
