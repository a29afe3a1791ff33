/**
 * The filter of the gallery: the reader chooses a page or a kind, and the other figures go.
 */

/** @typedef {"page" | "kind"} Trait */

/** @type {Record<Trait, string>} */
const TRAITS = { page: "Page", kind: "Kind" };

/** The values that a card has for a trait. @param {HTMLElement} card @param {Trait} trait */
const values = (card, trait) => card.dataset[trait]?.split("|") ?? [];

/**
 * Add the filter to `host`; the cards are in the element after it.
 * @param {HTMLElement} host
 */
export function start(host) {
  const cards = /** @type {HTMLElement[]} */ ([.../** @type {Element} */ (host.nextElementSibling).children]);
  const traits = /** @type {Trait[]} */ (Object.keys(TRAITS));
  const options = (/** @type {Trait} */ trait) => [...new Set(cards.flatMap((card) => values(card, trait)))]
    .map((value) => new Option(value, value));
  const choices = traits.map((trait) => {
    const choice = document.createElement("select");
    choice.append(new Option("all", ""), ...options(trait));
    const label = document.createElement("label");
    label.append(TRAITS[trait], " ", choice);
    host.append(label);
    return choice;
  });
  const said = host.appendChild(document.createElement("span"));
  said.setAttribute("role", "status");

  function filter() {
    for (const card of cards) {
      card.hidden = !traits.every((trait, index) =>
        !choices[index].value || values(card, trait).includes(choices[index].value));
    }
    const left = cards.filter((card) => !card.hidden).length;
    said.textContent = left === cards.length ? `${left} figures` : `${left} of ${cards.length} figures`;
  }

  host.addEventListener("change", filter);
  filter();
}
