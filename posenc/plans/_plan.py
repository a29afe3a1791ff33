"""The plan of a model's positions, read from its file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from posenc import _arguments
from posenc.plans import _formats, _words
from posenc.plans._groups import Group
from posenc.plans._notes import Difference, Odd


@dataclass(frozen=True)
class Plan:
    """What a model's file says about positions, for each group of its layers.

    `format` is the kind of file: `"transformers"`, `"mistral"`, `"meta"`, `"diffusers"` or
    `"gguf"`. `model` is the type of the model as the file names it. `odd` lists what is missing,
    disagrees or is not read, and `programs` where programs compute something else.

    >>> print(Plan.from_dict({"model_type": "qwen3", "hidden_size": 1024, "rope_theta": 1e6,
    ...                       "num_attention_heads": 16}))
    qwen3 (config.json of transformers)
    all layers: 128 of 128 features turn, halves, base 1,000,000, no scaling
      scores  q·k times 1/√128 = 0.088388
      waves   6.2832 to 5,063,300 positions
      Python  Rotary(128, base=1000000)
    odd: nothing
    programs differ: none that posenc knows of
    """

    format: str
    model: str | None
    groups: tuple[Group, ...]
    odd: tuple[Odd, ...] = ()
    programs: tuple[Difference, ...] = ()

    @classmethod
    def from_file(cls, path: str | PathLike[str]) -> Plan:
        """The plan of a file: config.json, params.json, the folder of one, or GGUF.

        Raises as `from_dict`.
        """
        if not isinstance(path, str | PathLike):
            raise TypeError(f"path must be a string or a Path, got {_arguments.shown(path)}")
        return cls.from_dict(_formats.loaded(Path(path)))

    @classmethod
    def from_dict(cls, config: Any) -> Plan:
        """The plan of a config: a dict, JSON text, a path, or an object that has `to_dict`.

        The format follows from the keys: `_class_name` is diffusers', `dim` Mistral's or Meta's,
        `general.architecture` GGUF's, and anything else is a config.json of transformers.

        Raises OSError if a file cannot be read, TypeError or ValueError if the config breaks a
        rule, ValueError if it is not known how its model encodes positions; the message says why.
        """
        given = _formats.as_dict(config)
        read = _formats.reader(given)
        return cls(*read(given))

    def __iter__(self) -> Iterator[Group]:
        return iter(self.groups)

    def __str__(self) -> str:
        return "\n".join(_words.lines(self))

    def to_dict(self, length: float | None = None) -> dict[str, Any]:
        """The plan as values of JSON, with attention factors for texts of `length` positions."""
        return {
            "format": self.format,
            "model": self.model,
            "groups": [group.to_dict(length) for group in self.groups],
            "odd": [asdict(odd) for odd in self.odd],
            "programs": [asdict(one) for one in self.programs],
        }
