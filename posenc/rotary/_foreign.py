"""Arrays of PyTorch, JAX and MLX: their numbers for NumPy, and answers of the same kind.

No library is imported. An array brings its own functions: `new_tensor` of PyTorch, the array
API's `__array_namespace__` of JAX and others, and MLX's class.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc import _arguments

Back = Callable[[npt.NDArray[Any]], Any]


def numpy_array(name: str, values: Any) -> tuple[npt.NDArray[Any], Back]:
    """`values` as a NumPy array, and a function that makes an answer of the same kind.

    Raises TypeError if NumPy cannot have the numbers: an array on a device, one that requires a
    gradient, or one inside a compiled function. The message says what to do.
    """
    library = type(values).__module__.partition(".")[0]
    if library == "torch" and hasattr(values, "new_tensor"):
        floating = values if values.is_floating_point() else values.double()
        return _of_torch(name, values), floating.new_tensor
    if library == "mlx":
        return _of_mlx(values)
    if library != "numpy" and hasattr(values, "__array_namespace__"):
        space = values.__array_namespace__()
        return _of_another(name, values), space.asarray
    return _arguments.as_array(name, values), lambda answer: answer


def reordered(values: Any, order: npt.NDArray[np.intp], axis: int) -> Any:
    """An array of any library with its rows or columns in another order, on its device."""
    numbers: Any = order
    if type(values).__module__.partition(".")[0] == "mlx":
        numbers = sys.modules[type(values).__module__].array(order)
    return values[numbers] if axis == 0 else values[:, numbers]


def _of_torch(name: str, tensor: Any) -> npt.NDArray[Any]:
    if tensor.requires_grad:
        cure = f"give {name}.detach(), or multiply by cosine_sine in PyTorch to keep gradients"
        raise TypeError(f"{name} must not require a gradient, which NumPy loses: {cure}")
    if tensor.device.type != "cpu":
        rule = f"{name} must be on the CPU: give {name}.cpu()"
        raise TypeError(f"{rule}, got a tensor on {tensor.device}")
    half = str(tensor.dtype) == "torch.bfloat16"  # NumPy has no such numbers
    array: npt.NDArray[Any] = (tensor.float() if half else tensor).numpy()
    return array


def _of_mlx(array: Any) -> tuple[npt.NDArray[Any], Back]:
    core = sys.modules[type(array).__module__]
    if array.dtype != core.bfloat16:
        return np.array(array), core.array
    return np.array(array.astype(core.float32)), lambda y: core.array(y).astype(core.bfloat16)


def _of_another(name: str, values: Any) -> npt.NDArray[Any]:
    try:
        return np.asarray(values)
    except Exception as error:  # of JAX: an array has no numbers while a function is compiled
        cure = "call it outside, and give the compiled function the table of cosine_sine"
        raise TypeError(f"{name} must hold numbers, not what jit traces: {cure}") from error
