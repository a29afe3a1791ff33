// Globals that the pages' scripts use, for `tsc`.
interface Window {
  /** Material calls the listener for the first page and for each that instant navigation shows. */
  document$?: { subscribe(listener: () => void): void };
  /** Set by Plotly's bundle, which loads when the reader makes a figure interactive. */
  Plotly?: any;
  /** The bytes of a file, one in each character; its script in the copy without a server sets it. */
  offlineFile: string;
}
