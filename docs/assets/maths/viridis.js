/**
 * Viridis, the colour scale of weights and shares.
 */

/** 256 colours in the byte order of a canvas, from a polynomial fit. */
export const VIRIDIS = Uint32Array.from({ length: 256 }, (_, index) => {
  const t = index / 255;
  const [red, green, blue] = [
    [0.2777, 0.1051, -0.3309, -4.6342, 6.2283, 4.7764, -5.4355],
    [0.0054, 1.4046, 0.2148, -5.7991, 14.1799, -13.7451, 4.6459],
    [0.3341, 1.3846, 0.0951, -19.3324, 56.6906, -65.3530, 26.3124],
  ].map((terms) => Math.round(255 * Math.min(1, Math.max(0, terms.reduceRight((sum, term) => sum * t + term, 0)))));
  return 255 << 24 | blue << 16 | green << 8 | red;
});
