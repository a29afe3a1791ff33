"""Time from an input event to the drawn answer of the live model, with a CPU 4 times slower.

`python -m benchmarks.model_frames` prints times in ms; no test depends on them. "answer" goes from
an event of the length slider, at 63 and 64 letters, to the end of the frame that shows the answer.
"work" is the main thread's share: the page itself computes what a letter changes, and draws the
answer in the slider's frame. "pass" is the forward pass over all 64 letters, which a new text
takes. The page leaves that pass to a worker, but here it runs in the main thread, because Chromium
does not throttle workers. The empty slider moves only its thumb, right after each model: it
measures the browser's share, and the machine's present speed.
"""

from __future__ import annotations

from statistics import median

from benchmarks import frames

MODELS = ("rope", "sinusoidal", "t5", "none-2-layers")

STEP = """async ([alone, count]) => {
  const host = document.querySelector(".lm");
  const slider = document.querySelector(alone ? "#alone" : "[data-control=length]");
  const after = new MessageChannel(); // a message comes after the frame in which it was sent
  const painted = () => new Promise(done => {
    after.port1.onmessage = done;
    requestAnimationFrame(() => after.port2.postMessage(0));
  });
  let waits = false;
  const drawn = () => { waits = false; };
  host.addEventListener("drawn", drawn);
  const times = [];
  for (let step = 0; step < count; step++) {
    const began = performance.now();
    waits = !alone;
    slider.value = 63 + step % 2;
    slider.dispatchEvent(new Event("input"));
    do await painted(); while (waits);
    times.push(performance.now() - began);
  }
  host.removeEventListener("drawn", drawn);
  return times;
}"""

ALONE = """() => {
  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", max: 128, id: "alone" });
  document.querySelector(".lm").before(slider);
  slider.scrollIntoView({ block: "center", behavior: "instant" });
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


def measure(tab: frames.Tab) -> None:
    """Print the times of each model and of the empty slider, then the claims."""
    found = []
    for name in MODELS:
        tab.page.goto(f"{frames.ADDRESS}trained-models/?model={name}&length=64")
        tab.page.wait_for_selector(".lm.is-ready")
        tab.page.evaluate("document.querySelector('.lm').scrollIntoView()")
        times = stepped(tab, alone=False)
        with tab.throttled():
            passes = tab.page.evaluate(PASS, [name, frames.STEPS])
        frames.row(name, {**times, "pass": median(passes)})
        tab.page.evaluate(ALONE)
        slider = stepped(tab, alone=True)
        frames.row("an empty slider", slider)
        found.append((name, times, slider))
    for name, times, slider in found:
        frames.claim(name, times, slider, target=16)


def stepped(tab: frames.Tab, *, alone: bool) -> dict[str, float]:
    """The times of a step of the length slider, or of the empty one."""
    tab.page.evaluate(STEP, [alone, frames.WARM_UP])
    with tab.throttled():
        whole = median(tab.page.evaluate(STEP, [alone, frames.STEPS]))
    busy = tab.work(lambda count: tab.page.evaluate(STEP, [alone, count]))
    return {"answer": whole, "work": busy}


if __name__ == "__main__":
    frames.run("model frames", measure)
