// Names in the window while the tests run, for `tsc`.
interface Window {
  /** Plotly's bundle, after the reader has made a figure interactive. */
  Plotly?: any;
  /** The page's listeners to `resize`. */
  resizeListeners: Set<unknown>;
  /** Ask the worker the question that the test holds. */
  release(): Promise<unknown>;
  /** Where the focus has been. */
  walk: Element[];
}
/** axe-core, which the tests load. */
declare const axe: {
  run(within: string, options: object): Promise<{
    violations: { id: string, nodes: { html: string, failureSummary: string }[] }[],
  }>,
};
