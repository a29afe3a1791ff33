// What the pages' scripts find in the window, for `tsc`.
interface Window {
  /** Material: tells of each page, the first and those that come by instant navigation. */
  document$?: { subscribe(listener: () => void): void };
  /** Plotly's bundle, once the reader has asked for it. */
  Plotly?: any;
}
