"""The mixing desk: its answers are NumPy's, its tasks can be done, its state survives."""

import io
import re
from functools import cache

import numpy as np
import pytest
from matplotlib.image import imread
from playwright.sync_api import expect

from posenc import Rotary
from posenc.rotary import NTK, Linear, Llama3, YaRN
from scripts.experiments import grid, weights
from scripts.experiments.forward import Changes, run_model
from scripts.experiments.generator import xorshift
from scripts.numbers.quantities import stretched
from tests.browsing import LOADING_FAILED, answered, wait_until
from tests.committed_models import FOLDER
from tests.page_actions import DARK_PHONE, LIGHT_SCREEN, assert_accessible, assert_no_overflow
from tests.page_text import SITE, gzipped

pytestmark = pytest.mark.browser

PAIRS, BACK, TEXTS = 16, 3, 8
PARTS = {"original_max_position_embeddings": 32}
SCALINGS = {
    "As trained": None,
    "Linear": Linear(8),
    "NTK": NTK(8),
    "YaRN": YaRN(8, **PARTS, beta_fast=4, beta_slow=0.5, truncate=False),
    "Llama 3’s limits": Llama3(8, low_freq_factor=1, high_freq_factor=4, **PARTS),
}
PLAIN = Rotary(2 * PAIRS).frequencies()
LOGS = {n: np.log(PLAIN / Rotary(2 * PAIRS, scaling=s).frequencies()) for n, s in SCALINGS.items()}
PHI = np.log(stretched("longrope") / stretched("none"))[::3]
LOGS["LongRoPE’s list"] = PHI / max(PHI) * np.log(8)
STEPS = {name: (15 * log / np.log(8)).round().astype(int).tolist() for name, log in LOGS.items()}


FADERS = "() => [...document.querySelectorAll('[data-pair]')].map(fader => 15 - fader.value)"


@cache
def verdicts(chosen, mutes=(), length=256):
    """Whether each answer of each text is right, and whether a head looks most at its letter."""
    arrays, run, _ = weights.unpacked((FOLDER / "desk.safetensors").read_bytes())
    assert run == grid.DESK
    tokens = np.concatenate([xorshift(text + 1)(16, (1, length)) for text in range(TEXTS)])
    speeds = PLAIN * 8.0 ** (-np.array(chosen) / 15)
    speeds[list(mutes)] = 0
    found = run_model(arrays, run, tokens, Changes(speeds=speeds))
    looks = found.weights[0].argmax(axis=-1)[..., BACK:] == np.arange(length - BACK)
    return found.logits.argmax(axis=-1)[:, BACK:] == tokens[:, :-BACK], looks.any(axis=1)


def expect_answers(page, chosen, mutes=(), length=256):
    right, looks = verdicts(tuple(chosen), tuple(mutes), length)
    words = f"{right.mean():.0%} right, in {TEXTS} texts of {length} letters"
    expect(page.locator(".rt-sentence")).to_contain_text(words)
    said = page.locator(".rt-sentence").inner_text()
    shares = tuple(f"{looks[:, :end].mean():.0%}" for end in (length, 32 - BACK))
    found = re.findall(r"At (\d+%) of the places .* letters at (\d+%)", said)
    assert found == [shares] * ("Neighbours are too close" not in said)
    cells = page.locator(".rt-ticker span:not(.is-out)")
    shown = cells.evaluate_all("all => all.map(e => e.className)")
    assert shown == [""] * BACK + [f"is-{'right' if one else 'wrong'}" for one in right[0]]
    assert page.evaluate(FADERS) == list(chosen)


def opened(visit):
    page = visit("retune/").page
    expect(page.locator(".rt-sentence")).to_contain_text(f"in {TEXTS} texts")
    return page


def test_the_answers_to_each_preset_are_numpys_and_axe_finds_nothing(visit):
    page = opened(visit)
    for name, steps in STEPS.items():
        preset = page.get_by_role("button", name=name, exact=True)
        preset.click()
        expect(preset).to_have_attribute("aria-pressed", "true")
        if name in ("Linear", "YaRN", "LongRoPE’s list"):  # the same model answers to the others
            expect_answers(page, steps)
        else:
            assert answered(page, FADERS, steps) == steps
    page.locator("[data-mute]").nth(1).click()
    assert_accessible(page, (LIGHT_SCREEN, DARK_PHONE), within="[data-live]")
    assert_no_overflow(page)


def test_the_keyboard_does_all_tasks_and_a_reload_keeps_the_state(visit):
    page = opened(visit)
    done = page.locator(".rt-tasks b:not(:empty)")
    fader = page.locator("[data-pair]").all()
    fader[0].press("Home")
    expect(page.locator(".rt-sentence")).to_contain_text("24 letters now turn the fastest clock")
    expect(done).to_have_count(1)
    fader[3].press("End")  # and the faster ones with it
    expect_answers(page, [0] * 4 + [15] * 12)
    page.get_by_label("A fader takes others along").press("Space")
    for pair in (2, *[3] * 7):
        fader[pair].press("ArrowDown")
    expect(fader[3]).to_have_attribute("aria-valuetext", "0.38 times the trained speed")
    expect(fader[4]).to_have_accessible_name("clock of 63 letters, speed")
    expect(done).to_have_count(4)
    page.get_by_role("button", name="As trained").press("Enter")
    page.get_by_label("Length", exact=True).press("Home")
    mutes = page.locator("[data-mute]")
    mutes.nth(2).press("Enter")
    mutes.evaluate_all("all => all.slice(3).forEach((button) => button.click())")
    expect(done).to_have_count(5)
    expect_answers(page, [0] * PAIRS, range(2, PAIRS), 32)
    wait_until(page, "() => location.search.includes('length=32')")
    page.reload()
    expect_answers(page, [0] * PAIRS, range(2, PAIRS), 32)
    mute = page.get_by_label("mute clock of 19.9 letters")
    expect(mute).to_have_attribute("aria-pressed", "true")


def test_the_text_grows_once_and_the_desk_saves_a_picture(visit):
    seen = visit("retune/", reduced_motion="no-preference")
    page = seen.page
    wait_until(page, "() => document.querySelector('#rt-length').value > 40")
    page.get_by_label("Length", exact=True).press("End")
    expect_answers(page, [0] * PAIRS)
    button = page.get_by_role("button", name="Save as a picture")
    seen.refused, seen.provoked = {"card.js"}, LOADING_FAILED
    button.click()
    expect(page.locator(".rt-sentence")).to_contain_text("Could not make the picture: ")
    seen.refused = set()
    with page.expect_download() as download:
        button.click()
    assert imread(io.BytesIO(download.value.path().read_bytes())).shape[:2] == (630, 1200)


def test_the_desk_with_its_model_is_light():
    files = [*(SITE / "assets/retune").glob("*"), *(SITE / "assets/clocks").glob("*")]
    model = (SITE / "assets/model/weights/desk.safetensors").stat().st_size
    assert model + sum(gzipped(file.read_bytes()) for file in files) <= 100 * 1024
