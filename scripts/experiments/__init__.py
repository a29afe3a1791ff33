"""Small transformers, trained to show how they use an encoding of positions.

`python -m scripts.experiments` trains them and writes `results/`. Only `model` and `training`
import PyTorch; everything that is measured comes from the NumPy pass in `forward`.
"""
