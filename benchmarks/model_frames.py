"""Time from an input event to the drawn answer of the live model, with the CPU throttled 4 times.

`python -m benchmarks.model_frames` prints times; no test depends on them. As in `browser_frames`,
Chromium's frame rate is not limited. "answer" goes from an event of the length slider, at 63 and
64 letters, to the frame that shows all of the answer; a worker makes the answer, and Chromium does
not throttle workers. "work" is the time that the page's main thread ran for one step, without
throttling, times 4. "pass" is the model's forward pass over 64 letters in the main thread, where it
is throttled. "a slider alone" moves only its thumb: the browser's share of the time, and the
machine's present speed.
"""

from __future__ import annotations

import os
import shutil
from statistics import median

from playwright.sync_api import Error, sync_playwright

from benchmarks.browser_frames import ADDRESS, FLAGS, THROTTLE, answer
from scripts.files import SITE

MODELS = ("rope", "sinusoidal", "t5", "none-2-layers")
WARM_UP, STEPS, ROUNDS = 60, 80, 4

STEP = """async ([alone, count]) => {
  const host = document.querySelector(".lm");
  const slider = document.querySelector(alone ? "#alone" : "[data-control=length]");
  const after = new MessageChannel();
  const painted = () => new Promise(done => {
    after.port1.onmessage = done;
    requestAnimationFrame(() => after.port2.postMessage(0));
  });
  const times = [];
  for (let step = 0; step < count; step++) {
    const began = performance.now();
    const drawn = new Promise(done => host.addEventListener("drawn", done, { once: true }));
    slider.value = 63 + step % 2;
    slider.dispatchEvent(new Event("input"));
    if (!alone) await drawn;
    await painted();
    times.push(performance.now() - began);
  }
  return times;
}"""

ALONE = """() => {
  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", max: 128, id: "alone" });
  document.querySelector(".lm").before(slider);
}"""

PASS = """async ([name, count]) => {
  const folder = new URL("../assets/model/", location.href);
  const [{ runModel }, { unpacked }] = await Promise.all(
    ["forward.js", "weights.js"].map(part => import(new URL(part, folder))));
  const file = await fetch(new URL(`weights/${name}.safetensors`, folder));
  const model = unpacked(await file.arrayBuffer());
  const tokens = Array.from({ length: 64 }, (_, place) => place * 7 % 16);
  return Array.from({ length: count }, () => {
    const began = performance.now();
    runModel(model, tokens, {});
    return performance.now() - began;
  });
}"""


def main() -> None:
    """Print one line for each model, and one for a slider that does nothing."""
    if not SITE.is_dir():
        print("model frames: skipped, no site (run `make site`)")
        return
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS.split())
        except Error:
            print("model frames: skipped, no Chromium or Chrome (set CHROMIUM to its path)")
            return
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.route("**/*", answer)
        protocol = page.context.new_cdp_session(page)
        for name in MODELS:
            page.goto(f"{ADDRESS}trained-models/?model={name}&length=64")
            page.wait_for_selector(".lm.is-ready")
            page.evaluate("document.querySelector('.lm').scrollIntoView()")
            print(f"{name:14} {measured(page, protocol, name)}  target 16 ms", flush=True)
        page.evaluate(ALONE)
        print(f"a slider alone {measured(page, protocol, None)}")
        browser.close()


def measured(page, protocol, name) -> str:
    """The times of a model, or of the slider that does nothing."""
    page.evaluate(STEP, [name is None, WARM_UP])
    protocol.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
    whole = median(page.evaluate(STEP, [name is None, STEPS]))
    passes = median(page.evaluate(PASS, [name, STEPS])) if name else 0.0
    protocol.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return f"answer {whole:5.1f}  work {work(page, protocol, name):5.1f}  pass {passes:5.1f}"


def work(page, protocol, name) -> float:
    """Milliseconds of the main thread for one step, on a CPU slower by the throttle factor."""
    protocol.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy() -> float:
        metrics = protocol.send("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    spans = []
    for _ in range(ROUNDS):
        began = busy()
        page.evaluate(STEP, [name is None, STEPS])
        spans.append((busy() - began) / STEPS)
    protocol.send("Performance.disable")
    return 1000 * THROTTLE * min(spans)


if __name__ == "__main__":
    main()
