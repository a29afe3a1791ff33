/**
 * Tables in a `div.sortable` get a field that searches the rows, and headings that sort them.
 */

/** Sort the rows by the column of `heading`; a second press reverses them. @param {HTMLTableCellElement} heading */
function sort(heading) {
  const descending = heading.getAttribute("aria-sort") === "ascending";
  const body = heading.closest("table")?.tBodies[0];
  heading.parentElement?.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
  heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
  /** @param {HTMLTableRowElement} row */
  const key = (row) => row.cells[heading.cellIndex].textContent ?? "";
  const rows = [...(body?.rows ?? [])].sort((a, b) => key(a).localeCompare(key(b), "en", { numeric: true }));
  body?.append(...(descending ? rows.reverse() : rows));
}

/** Equip the table in `host`. @param {HTMLElement} host */
export function start(host) {
  const table = host.querySelector("table");
  if (!table) return;
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "Search the table";
  field.setAttribute("aria-label", field.placeholder);
  const said = document.createElement("small");
  said.setAttribute("role", "status");
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    const rows = [...table.tBodies[0].rows];
    for (const row of rows) {
      const text = (row.textContent ?? "").toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    const left = rows.filter((row) => !row.hidden).length;
    said.textContent = field.value && `${left} of ${rows.length} rows`;
  });
  host.prepend(field, " ", said);
  for (const heading of table.querySelectorAll("th")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    button.addEventListener("click", () => sort(heading));
    heading.append(button);
  }
}
