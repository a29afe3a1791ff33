"""From an input event to the painted frame, in the explorer, with the CPU throttled 4 times.

`python -m benchmarks.browser_frames` prints figures; it decides nothing. Chromium's frame rate is
not limited, so that no wait for the next tick of the screen is counted, only work: the event,
the drawing, layout and paint, up to the first task after them. "event" is an event that the page
sends itself, up to the first frame, in which what fits is drawn; "all" is up to the frame that
ends with every view in the window drawn. "key" is a key that the browser delivers, on its way
through other processes, which share this machine's processors. Where they are busy, "work" is the
steadier figure: the time that the page's main thread ran until all was drawn, not throttled,
times 4. Each shape is measured as the page opens, and once more for the base, on which every view
depends, with the views further down in the window. The line "a slider alone" is a slider in the
same page that moves nothing but its thumb: what of the time is the browser's own, and how fast
the machine is just now.
"""

from __future__ import annotations

import os
import shutil
import time
from statistics import median

from playwright.sync_api import Error, sync_playwright

from scripts.files import SITE

THROTTLE = 4
WARM_UP, MOVES = 60, 80  # the first ones, a second of dragging, run code that is not compiled yet
PAUSE = 0.04  # s between keys: nothing else is asked of the browser while it draws
SWEEP = 40  # steps to the right, then as many back: more bases than the page remembers
ADDRESS = "http://127.0.0.1:8000/"
SHAPES = [(128, 512, 16), (512, 512, 33), (4096, 1024, 50)]  # positions, dimensions, target in ms
FLAGS = "--headless --no-sandbox --disable-gpu --disable-gpu-vsync --disable-frame-rate-limit"

KEYS = """name => {
  const slider = document.querySelector(`[data-slider=${name}]`);
  const after = new MessageChannel();
  window.times = [];
  after.port1.onmessage = ({ data: began }) => window.times.push(performance.now() - began);
  slider.addEventListener("input", ({ timeStamp }) => {
    requestAnimationFrame(() => after.port2.postMessage(timeStamp));
  });
  slider.focus({ preventScroll: true });
}"""


ALONE = """name => {
  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", max: 600, value: 400 });
  slider.dataset.slider = name;
  document.querySelector(".ex").before(slider);
}"""


EVENTS = """async ([name, count, sweep]) => {
  const slider = document.querySelector(`[data-slider=${name}]`);
  const after = new MessageChannel();
  const painted = () => new Promise(done => {
    after.port1.onmessage = done;
    requestAnimationFrame(() => after.port2.postMessage(0));
  });
  let waits = false;
  const drawn = () => { waits = false; };
  document.querySelector(".ex").addEventListener("drawn", drawn);
  const times = [];
  for (let move = 0; move < count; move++) {
    const began = performance.now();
    waits = name !== "alone";
    slider.value = Number(slider.value) + (move % (2 * sweep) < sweep ? 1 : -1);
    slider.dispatchEvent(new Event("input"));
    await painted();
    const first = performance.now() - began;
    while (waits) await painted();
    times.push([first, performance.now() - began]);
  }
  document.querySelector(".ex").removeEventListener("drawn", drawn);
  return times;
}"""

BELOW = """() => document.querySelector("[data-view=profile]")
  .scrollIntoView({ block: "center", behavior: "instant" })"""


def main() -> None:
    """Print one line a shape and a control."""
    if not SITE.is_dir():
        print("browser frames: skipped, no site (run `make site`)")
        return
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS.split())
        except Error:
            print("browser frames: skipped, no Chromium or Chrome (set CHROMIUM to its path)")
            return
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.route("**/*", answer)
        protocol = page.context.new_cdp_session(page)
        for length, width, target in SHAPES:
            for name in ("base", "position", "offset", "base, below"):
                control, _, below = name.partition(", ")
                query = f"base=10000&d_model={width}&length={length}&position=40&offset=5"
                page.goto(f"{ADDRESS}explorer/?{query}")
                page.wait_for_selector(".ex-matrix canvas[width]")
                if below:
                    page.evaluate(BELOW)
                protocol.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
                line = measured(page, protocol, control)
                print(f"{f'{length} x {width}':12} {name:11} {line}  target {target} ms")
        page.evaluate(ALONE, "alone")
        protocol.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
        print(f"{'a slider alone':24} {measured(page, protocol, 'alone')}")
        browser.close()


def measured(page, protocol, name) -> str:
    """The times of the slider `name`, in a page that is throttled already."""
    times = page.evaluate(EVENTS, [name, WARM_UP + MOVES, SWEEP])[WARM_UP:]
    first, whole = map(median, zip(*times, strict=True))
    page.evaluate(KEYS, name)
    for press in range(MOVES):
        key = ("ArrowRight", 39) if press % (2 * SWEEP) < SWEEP else ("ArrowLeft", 37)
        pressed = {"type": "rawKeyDown", "key": key[0], "windowsVirtualKeyCode": key[1]}
        protocol.send("Input.dispatchKeyEvent", pressed)
        time.sleep(PAUSE)
    keys = page.evaluate("window.times")
    protocol.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    busy = work(page, protocol, name)
    return f"event {first:5.1f}  all {whole:5.1f}  key {median(keys):5.1f}  work {busy:5.1f}"


def work(page, protocol, name) -> float:
    """Milliseconds of the main thread a frame, as a CPU so many times slower would take them."""
    protocol.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy() -> float:
        metrics = protocol.send("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    spans = []
    for _ in range(4):
        began = busy()
        page.evaluate(EVENTS, [name, MOVES, SWEEP])
        spans.append((busy() - began) / MOVES)
    protocol.send("Performance.disable")
    return 1000 * THROTTLE * min(spans)


def answer(route) -> None:
    """The file of the site that the address names."""
    name = route.request.url.removeprefix(ADDRESS).partition("?")[0]
    path = SITE / (f"{name}index.html" if name.endswith("/") else name)
    if path.is_file():
        route.fulfill(path=path)
    else:
        route.abort()


if __name__ == "__main__":
    main()
