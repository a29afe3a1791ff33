"""Time from an input event to the painted frame in the explorer, with the CPU throttled 4 times.

`python -m benchmarks.browser_frames` prints times; no test depends on them. Chromium's frame rate
is not limited, so the times contain no wait for the screen's next tick, only work: the event,
drawing, layout and paint, up to the first task after them. "event" starts at an event that the
page sends and ends with the first frame, in which the explorer draws as much as fits; "all" ends
with the frame in which every visible view is drawn. "key" starts at a key press that the browser
delivers through other processes, which share this machine's processors. If those are busy, "work"
is steadier: the time that the page's main thread ran until everything was drawn, without
throttling, times 4. Each shape is measured as the page opens, and again for the base, on which
every view depends, with the lower views in the window. The line "a slider alone" measures a
slider in the same page that moves only its thumb: the browser's share of the time, and the
machine's present speed.
"""

from __future__ import annotations

import os
import shutil
import time
from statistics import median

from playwright.sync_api import Error, sync_playwright

from scripts.files import SITE

THROTTLE = 4
WARM_UP, MOVES = 60, 80  # the first second of dragging runs code that is not compiled yet
PAUSE = 0.04  # s between keys, so that the browser has nothing else to do while it draws
SWEEP = 40  # steps right, then back: more bases than the page caches
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
    """Print one line for each shape and control."""
    if not SITE.is_dir():
        print("browser frames: skipped, no site (run `make site`)")
        return
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
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
    """Times of the slider `name` in a page that is already throttled."""
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
    """Milliseconds of the main thread per frame, on a CPU slower by the throttle factor."""
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
    """Answer with the site's file at the requested address."""
    name = route.request.url.removeprefix(ADDRESS).partition("?")[0]
    path = SITE / (f"{name}index.html" if name.endswith("/") else name)
    if path.is_file():
        route.fulfill(path=path)
    else:
        route.abort()


if __name__ == "__main__":
    main()
