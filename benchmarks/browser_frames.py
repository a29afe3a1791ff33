"""Time from an input event to the painted frame in the explorer, with a CPU 4 times slower.

`python -m benchmarks.browser_frames` prints times in ms; no test depends on them. "event" starts at
an event that the page sends and ends with the first frame, in which the explorer draws as much as
fits; "all" ends with the frame in which every visible view is drawn. "key" starts at a key press
that the browser delivers through other processes, which share this machine's processors. "work" is
the time that the page's main thread ran until everything was drawn. Each shape is measured as the
page opens, and again for the base, on which every view depends, with the lower views in the window.
The empty slider at the top of the same page moves only its thumb, right after each: it measures the
browser's share, and the machine's present speed.
"""

from __future__ import annotations

import time
from statistics import median

from benchmarks import frames

PAUSE = 0.04  # s between keys, so that the browser has nothing else to do while it draws
SWEEP = 40  # steps right, then back: more bases than the page caches
SHAPES = [(128, 512, 16), (512, 512, 33), (4096, 1024, 50)]  # positions, dimensions, target in ms

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
  slider.scrollIntoView({ block: "center", behavior: "instant" });
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


def measure(tab: frames.Tab) -> None:
    """Print the times of each shape and control and of the empty slider, then the claims."""
    found = []
    for length, width, target in SHAPES:
        for name in ("base", "position", "offset", "base, below"):
            control, _, below = name.partition(", ")
            query = f"base=10000&d_model={width}&length={length}&position=40&offset=5"
            tab.page.goto(f"{frames.ADDRESS}explorer/?{query}")
            tab.page.wait_for_selector(".ex-matrix canvas[width]")
            if below:
                tab.page.evaluate(BELOW)
            title, times = f"{length} x {width} {name}", moved(tab, control)
            frames.row(title, times)
            tab.page.evaluate(ALONE, "alone")
            slider = moved(tab, "alone")
            frames.row("an empty slider", slider)
            found.append((title, times, slider, target))
    for title, times, slider, target in found:
        frames.claim(title, times, slider, target=target)


def moved(tab: frames.Tab, name: str) -> dict[str, float]:
    """The times of the slider `name`."""
    with tab.throttled():
        times = tab.page.evaluate(EVENTS, [name, frames.WARM_UP + frames.STEPS, SWEEP])
        tab.page.evaluate(KEYS, name)
        for press in range(frames.STEPS):
            key = ("ArrowRight", 39) if press % (2 * SWEEP) < SWEEP else ("ArrowLeft", 37)
            pressed = {"type": "rawKeyDown", "key": key[0], "windowsVirtualKeyCode": key[1]}
            tab.protocol.send("Input.dispatchKeyEvent", pressed)
            time.sleep(PAUSE)
        keys = tab.page.evaluate("window.times")
    first, whole = map(median, zip(*times[frames.WARM_UP :], strict=True))
    busy = tab.work(lambda count: tab.page.evaluate(EVENTS, [name, count, SWEEP]))
    return {"event": first, "all": whole, "key": median(keys), "work": busy}


if __name__ == "__main__":
    frames.run("browser frames", measure)
