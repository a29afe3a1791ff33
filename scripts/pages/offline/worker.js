/**
 * Code in front of each worker in the copy without a server. The worker has no address there, so the page
 * sends it the files that it requests.
 */
{
  const worker = /** @type {any} */ (self);
  /** @type {Map<string, (answer: { bytes?: BlobPart, error?: string }) => void>} */
  const waiting = new Map();

  worker.fetch = async (/** @type {URL | string} */ url) => {
    const wanted = new URL(url).pathname.slice(1);
    worker.postMessage({ offlineFile: wanted });
    const answer = await new Promise((/** @type {(answer: { bytes?: BlobPart, error?: string }) => void} */ resolve) => {
      waiting.set(wanted, resolve);
    });
    if (answer.error) throw new TypeError(answer.error);
    return new Response(new Blob([/** @type {BlobPart} */ (answer.bytes)]));
  };

  addEventListener("message", (event) => {
    const answered = waiting.get(event.data?.offlineFile);
    if (!answered) return;
    event.stopImmediatePropagation();
    answered(event.data);
  });
}
