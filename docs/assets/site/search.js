/**
 * The search's worker: Material's, with stems, and with one sentence of each section that it finds.
 *
 * Material adds a `*` to each word of a query, for which lunr leaves out its stop words and its
 * stemmer. Here a word finds its stem, and less strongly the words that begin with the stem.
 */
{
  const worker = /** @type {any} */ (self);
  const [QUERY, RESULT] = [2, 3]; // the types of Material's messages
  const EXACT = 10; // weight of a word that equals the query; a word that begins with it has 1
  const LONG = /^\d{4,}$/;
  const SHORTEST = 4; // a query without results is shortened, but not below this many letters
  let asked = "";
  let isGrouped = false; // whether to look for 62,832 if the query has 62832: the index splits it at the comma
  /** @type {Record<string, string>} */
  const spelled = {}; // the reader's word for each stem

  /**
   * The clauses for a word of the query; none for a stop word. A short word does not match longer words,
   * unless the reader has typed nothing else.
   * @param {any} clause @param {number} _ @param {any[]} all
   */
  const understood = (clause, _, all) => {
    const { lunr } = worker;
    if (!clause.term.endsWith("*")) return [clause];
    const word = lunr.stopWordFilter(new lunr.Token(clause.term.slice(0, -1), {}));
    if (!word) return [];
    if (isGrouped && LONG.test(`${word}`)) {
      const groups = Number(word).toLocaleString("en").split(",");
      for (const group of groups) spelled[group] = `${word}`;
      return groups.map((term) => ({ ...clause, term, boost: EXACT, presence: lunr.Query.presence.REQUIRED }));
    }
    const stem = `${lunr.stemmer(word)}`;
    spelled[stem] = clause.term.slice(0, -1);
    const exact = { ...clause, term: stem, boost: EXACT };
    return stem.length < 3 && all.length > 1 ? [exact] : [exact, { ...clause, term: `${stem}*` }];
  };

  const load = () => {
    worker.importScripts(`../javascripts/workers/${worker.location.search.slice(1)}`);
    const { prototype } = worker.lunr.QueryParser;
    const { parse } = prototype;
    prototype.parse = function () {
      const query = Reflect.apply(parse, this, []);
      const clauses = query.clauses.flatMap(understood);
      // lunr would answer a query without clauses with everything.
      query.clauses = clauses.length ? clauses : [{ ...query.clauses[0], term: "" }];
      return query;
    };
  };

  /** The sentence with most of the words found, or else the first. @param {string} text */
  const sentence = (text) => {
    const all = text.match(/[^\n]+?(?:[.?!:](?= (?:<mark>)?[A-Z“])|$)/gm) ?? [];
    const found = all.map((one) => new Set(one.toLowerCase().match(/<mark>.*?<\/mark>/g)).size);
    return all.length ? `<p>${all[found.indexOf(Math.max(...found))].trim()}</p>` : "";
  };

  /** @param {any} a @param {any} b */
  const byScore = (a, b) => b.score - a.score;

  const { postMessage } = worker;
  worker.postMessage = (/** @type {any} */ message) => {
    if (message.type === RESULT) {
      const { items } = message.data;
      if (!items.length && !isGrouped && asked.split(" ").some((word) => LONG.test(word))) {
        isGrouped = true;
        return ask(asked);
      }
      if (!items.length && asked.length > SHORTEST) return ask(asked.slice(0, -1));
      for (const section of items.flat()) {
        section.text = sentence(section.text);
        const terms = Object.entries(section.terms);
        section.score *= Math.sqrt(terms.filter(([, found]) => found).length / (terms.length || 1));
        // Material lists the words that are missing.
        section.terms = Object.fromEntries(terms.map(([stem, found]) => [spelled[stem] ?? stem, found]));
      }
      for (const page of items) page.sort(byScore);
      items.sort((/** @type {any} */ [a], /** @type {any} */ [b]) => byScore(a, b));
    }
    Reflect.apply(postMessage, worker, [message]);
  };

  /** Hand a query to Material's worker. @param {string} query */
  const ask = (query) => dispatchEvent(new MessageEvent("message", { data: { type: QUERY, data: query } }));

  addEventListener("message", (event) => {
    const { data } = event;
    // lunr would take signs in a pasted error message or in code for its operators.
    isGrouped &&= !event.isTrusted; // the page asks something else
    if (data.type === QUERY) data.data = asked = data.data.replace(/[^\p{L}\p{N}\s.]+/gu, " ").trim();
    if (worker.lunr) return; // Material's worker hears the message too
    load();
    dispatchEvent(new MessageEvent("message", { data }));
  });
}
