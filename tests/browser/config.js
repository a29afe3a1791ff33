/**
 * What the page "What does my config say?" answers.
 * @module config
 */

/** @typedef {import("../../docs/assets/config/frequencies.js").Rotary} Rotary */

/**
 * The encodings that each text describes, by layer type, with what they compute for each of `lengths`; or the error.
 * @param {{ folder: string, texts: string[], lengths: (number | null)[] }} question
 */
export async function answers({ folder, texts, lengths }) {
  const [{ parsed }, { fromConfig }, { attentionFactor, frequencies }] = await Promise.all(
    ["json", "read", "frequencies"].map((name) => import(`${folder}${name}.js`)));
  /** What `make` returns, or the words of its error. @param {() => any} make */
  const tried = (make) => {
    try {
      return make();
    } catch (error) {
      const { message, constructor: { name } } = /** @type {Error} */ (error);
      return name === "Refused" || name === "Unreadable" ? message : `${name}: ${message}`;
    }
  };
  /** @param {Rotary} rotary */
  const computed = (rotary) => ({
    ...rotary,
    frequencies: lengths.map((length) => tried(() => [...frequencies(rotary, length)])),
    attention: lengths.map((length) => attentionFactor(rotary, length)),
  });
  return texts.map((text) => tried(() => [...fromConfig(parsed(text))].map(([kind, rotary]) => [kind, computed(rotary)])));
}
