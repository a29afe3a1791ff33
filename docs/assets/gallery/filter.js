/**
 * The filter of the gallery: the reader chooses a page or a kind, and the other figures go.
 */

/** @typedef {"page" | "kind"} Trait */

/** @type {Record<Trait, string>} */
const TRAITS = { page: "Page", kind: "Kind" };

/** The values that a card has for a trait. @param {HTMLElement} card @param {Trait} trait */
const values = (card, trait) => card.dataset[trait]?.split("|") ?? [];

/** Add the filter to `host`; the cards are in the element after it. @param {HTMLElement} host */
export function start(host) {
  const cards = /** @type {HTMLElement[]} */ ([.../** @type {Element} */ (host.nextElementSibling).children]);
  const traits = /** @type {Trait[]} */ (Object.keys(TRAITS));
  const asked = new URLSearchParams(location.search);
  const options = (/** @type {Trait} */ trait) => [...new Set(cards.flatMap((card) => values(card, trait)))]
    .map((value) => new Option(value, value));
  const choices = traits.map((trait) => {
    const choice = document.createElement("select");
    choice.append(new Option("all", ""), ...options(trait));
    choice.value = asked.get(trait) ?? "";
    if (choice.selectedIndex < 0) choice.value = ""; // no card has that value
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

  /** Give the choice an address, to which the reader can come back. */
  function record() {
    const chosen = new URLSearchParams(traits.map((trait, index) => [trait, choices[index].value]).filter(([, value]) => value));
    history.replaceState(null, "", `${location.pathname}${chosen.size ? `?${chosen}` : ""}${location.hash}`);
  }

  host.addEventListener("change", () => {
    filter();
    record();
  });
  filter();
}
