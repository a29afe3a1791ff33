/**
 * The site in a folder, without a server. There, browsers load no modules and no workers and answer no
 * requests, but they run plain scripts. So each module is a function in this script, a worker starts from
 * its text, and each file that a script requests is also a script that sets `offlineFile` to its bytes.
 */

/** @typedef {{ url: string, import: (target: string) => Promise<object> }} Meta `import.meta.url` and `import()` of a module */
/** @typedef {(exported: (name: string) => object, meta: Meta) => object} Module */

/**
 * @param {Record<string, Module>} modules by their paths below assets/
 * @param {Record<string, string>} workers the code of each, by its path below assets/
 */
function offline(modules, workers) {
  const assets = new URL(".", /** @type {HTMLScriptElement} */ (document.currentScript).src).href;
  const root = new URL("..", assets).href;
  /** @type {Map<string, object>} */
  const run = new Map();

  /** The path of a file below assets/. @param {URL | string} url */
  const path = (url) => new URL(url, location.href).href.replace(/[?#].*/, "").slice(assets.length);

  /** What a module exports; the first call runs it. @param {string} name */
  function exported(name) {
    const known = run.get(name);
    if (known) return known;
    const { href: url } = new URL(name, assets);
    const made = modules[name](exported, { url, import: async (target) => exported(path(new URL(target, url))) });
    run.set(name, made);
    return made;
  }

  /** The bytes of a file. @param {string} url @returns {Promise<Uint8Array<ArrayBuffer>>} */
  const content = (url) => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.onload = () => resolve(Uint8Array.from(window.offlineFile, (byte) => byte.charCodeAt(0)));
    script.onerror = () => reject(new TypeError(`${url} is not in the copy`));
    script.src = `${url}.js`;
    document.head.append(script);
    script.remove();
  });

  window.fetch = async (url) => new Response(await content(String(url)));

  window.Worker = class extends Worker {
    /** @param {URL | string} url */
    constructor(url) {
      super(URL.createObjectURL(new Blob([workers[path(url)]], { type: "text/javascript" })));
      this.addEventListener("message", (event) => {
        const wanted = event.data?.offlineFile; // from worker.js, beside this file
        if (!wanted) return;
        event.stopImmediatePropagation();
        const answer = (/** @type {object} */ found) => this.postMessage({ offlineFile: wanted, ...found });
        content(root + wanted).then((bytes) => answer({ bytes }), (error) => answer({ error: error.message }));
      });
    }
  };

  // Links that scripts make lead to folders.
  document.addEventListener("click", ({ target }) => {
    const link = target instanceof Element && target.closest("a");
    if (link && link.href.startsWith(root) && link.pathname.endsWith("/")) link.pathname += "index.html";
  }, true);

  document.addEventListener("DOMContentLoaded", () => {
    for (const { dataset } of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("script[data-module]"))) {
      exported(dataset.module ?? "");
    }
  });
}
