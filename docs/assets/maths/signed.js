/**
 * The colour scale of signed values, in 256 steps in the byte order of a canvas.
 */

/** @param {number} red @param {number} green @param {number} blue @param {number} alpha */
const packed = (red, green, blue, alpha) => alpha << 24 | blue << 16 | green << 8 | red;

/** From -1, blue, to 1, orange; zero is transparent, so that nothing is to be seen on any paper. */
export const SIGNED = Uint32Array.from({ length: 256 }, (_, index) => {
  const value = (index - 127.5) / 127.5;
  const alpha = Math.round(255 * Math.abs(value));
  return value > 0 ? packed(217, 98, 43, alpha) : packed(58, 111, 216, alpha);
});
