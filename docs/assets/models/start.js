/**
 * The table of models: it sorts and searches as other tables do, and has a stylesheet of its own.
 */
import { start as equip } from "../site/sortable.js";

/** Equip the table in `host`. @param {HTMLElement} host */
export function start(host) {
  equip(host);
}
