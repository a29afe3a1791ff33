"""vLLM's and SGLang's rotary classes without the rest, which chooses kernels for devices."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import torch


def stand_ins(folder: str, package: str, *inner: str) -> None:
    """Make `inner` packages of an unpacked wheel importable; others of it seem to be there."""
    sys.path.insert(0, folder)

    class Operation(torch.nn.Module):
        register = staticmethod(lambda _name: lambda kind: kind)
        enabled = staticmethod(lambda: False)

        def __init__(self, **_options: object) -> None:
            super().__init__()

    class Finder:
        """Modules each name of which is a function that returns False."""

        def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
            mine = name.startswith(f"{package}.") and not name.startswith(f"{inner[-1]}.rotary")
            return ModuleSpec(name, self) if mine else None

        def create_module(self, spec: ModuleSpec) -> ModuleType:
            made = ModuleType(spec.name)
            vars(made).update(__path__=[], __getattr__=_anything)
            return made

        def exec_module(self, _module: ModuleType) -> None:
            """It has no code."""

    def module(name: str, **values: object) -> None:
        made = sys.modules[name] = ModuleType(name)
        vars(made).update(__getattr__=_anything, **values)

    for name in (package, *inner):
        module(name, __path__=[str(Path(folder, *name.split(".")))])
    settings = SimpleNamespace(model_config=SimpleNamespace(max_model_len=131_072))
    module(f"{package}.config", get_current_vllm_config=lambda: settings)
    module(f"{package}.logger", init_logger=lambda _name: _Nothing())
    module(f"{package}.model_executor.custom_op", CustomOp=Operation)
    module(f"{package}.kernels", __path__=[])
    module(f"{package}.kernels.fused_op", BaseFusedOp=Operation)
    module(f"{package}.srt.runtime_context", publish_role=lambda: None)
    module(f"{package}.srt.utils", __path__=[], get_device=lambda: "cpu")
    sys.meta_path.insert(0, Finder())


VLLM = ("vllm", "vllm.model_executor", "vllm.model_executor.layers")
SGLANG = ("sglang", "sglang.srt", "sglang.srt.layers")


def _anything(name: str) -> _Nothing:
    if name.startswith("__"):
        raise AttributeError(name)
    return _Nothing()


class _Nothing:
    """What has any name, can be called, and decorates a function by leaving it as it is."""

    def __getattr__(self, name: str) -> _Nothing:
        return _anything(name)

    def __call__(self, *given: object, **_: object) -> object:
        return given[0] if given and callable(given[0]) else False
