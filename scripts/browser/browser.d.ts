// Globals that the pages' scripts use, for `tsc`.
interface Window {
  /** Set by Plotly's bundle, which loads when the reader makes a figure interactive. */
  Plotly?: any;
  /** The bytes of a file, one in each character; its script in the copy without a server sets it. */
  offlineFile: string;
}
