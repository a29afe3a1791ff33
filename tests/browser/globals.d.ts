// Names in the window while the tests run, for `tsc`.
interface Window {
  /** Plotly's bundle, after the reader has made a figure interactive. */
  Plotly?: any;
  /** Ask the worker the question that the test holds. */
  release(): Promise<unknown>;
}
/** axe-core, which the tests load. */
declare const axe: {
  run(within: string, options: object): Promise<{
    violations: { id: string, nodes: { html: string, failureSummary: string }[] }[],
  }>,
};
