"""The colours of signed values, as the site draws them, computed by themselves."""

import numpy as np


def coloured(values):
    """Colour and opacity of values from -1 to 1, in 256 steps: blue, nothing, orange."""
    steps = np.minimum(np.floor((np.asarray(values, float) + 1) * 128), 255) - 127.5
    colours = np.where(steps[..., None] > 0, [217, 98, 43], [58, 111, 216])
    return np.concatenate([colours, np.round(abs(steps) / 127.5 * 255)[..., None]], axis=-1)


def on_paper(pixels, paper=255):
    """Pixels with opacity as they look on paper of this brightness."""
    share = pixels[..., 3:] / 255
    return pixels[..., :3] * share + paper * (1 - share)
