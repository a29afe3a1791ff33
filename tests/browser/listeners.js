/// <reference path="globals.d.ts" />
// Runs before each page's scripts: count the window's listeners to `resize`.
{
  window.resizeListeners = new Set();
  const { addEventListener: add, removeEventListener: remove } = window;
  /** @param {string} type @param {any} listener @param {any[]} rest */
  window.addEventListener = function (type, listener, ...rest) {
    if (type === "resize") window.resizeListeners.add(listener);
    return Reflect.apply(add, this, [type, listener, ...rest]);
  };
  /** @param {string} type @param {any} listener @param {any[]} rest */
  window.removeEventListener = function (type, listener, ...rest) {
    if (type === "resize") window.resizeListeners.delete(listener);
    return Reflect.apply(remove, this, [type, listener, ...rest]);
  };
}
