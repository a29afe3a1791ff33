"""The config.json of transformers, versions 4 and 5: texts, and the parts for images and sounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from posenc import _arguments
from posenc.plans import _data, _layers, _models, _odd, _programs, _queries, _scores, _vision
from posenc.plans._groups import Group
from posenc.plans._notes import Difference, Odd
from posenc.plans._reading import Config, Read
from posenc.rotary._config import Understood, options_of, understood
from posenc.rotary._config_names import INNER, flat
from posenc.rotary._rotary import Rotary


def read(config: Config) -> Read:
    """The plan of a config.json."""
    whole = _models.completed(config)
    model = config.get("model_type")
    if not (model is None or isinstance(model, str)):
        raise ValueError(f"model_type must be a string, got {_arguments.shown(model)}")
    _refuse_other_files(config)
    groups: list[Group] = []
    odd = [*_odd.of_type(config), *_odd.of_architectures(whole), *_odd.of_whole(whole)]
    programs: list[Difference] = []
    parts = dict(_parts(whole))
    if not parts or _has_text(whole):
        groups, more, programs = _text(_models.as_text({**whole}))
        odd += more
    for name, part in parts.items():
        try:
            groups += _part(name, part)
            odd += _odd.of_part(name, part)
        except ValueError as error:
            odd.append(Odd("part", f"{name} is not read: {error}.", name))
    if not groups:
        raise ValueError(" ".join(one.text for one in odd if one.code == "part"))
    return Read("transformers", model, tuple(groups), tuple(odd), tuple(programs))


def _refuse_other_files(config: Config) -> None:
    bare = config.get("model_type") is None
    others = {**(_data.OTHER_FILES if bare else {}), **_data.OTHER_FILES_OF_KNOWN}
    for key, what in others.items() if "hidden_size" not in config else ():
        if key in config:
            rule = "config must be the config.json of a model"
            raise ValueError(f"{rule}, got the file of {what}, with {key}")


def _part(name: str, part: Config) -> list[Group]:
    """The groups of one encoder, with its name before theirs."""
    model = flat(part).get("model_type")
    if not isinstance(model, str | None):
        raise ValueError(f"model_type must be a string, got {_arguments.shown(model)}")
    if _models.encoding(part) is None and _models.is_known(model):
        groups = _text(part)[0]
        if len(groups) == 1:
            return [replace(groups[0], name=name)]
        return [replace(group, name=f"{name}: {group.name}") for group in groups]
    return _vision.groups(name, part)


def _understood(own: Config) -> Understood:
    """The sets of the config; a refusal that names what posenc does not know about the type."""
    given = own.get("rope_parameters")
    if isinstance(given, Mapping) and given.get("rope_type") == "axial":
        rule = "model_type must be one whose axes posenc knows"
        raise ValueError(f"{rule}, got {_arguments.shown(own.get('model_type'))}")
    if own.get("use_mla") is False and own.get("qk_rope_head_dim"):
        raise ValueError("use_mla must be true where there is a qk_rope_head_dim, got False")
    model = own.get("model_type")
    if not _models.is_known(model) and not _models.may_turn(own):
        rule = "have rope_theta or another key about rotation, or a model_type that posenc knows"
        raise ValueError(f"config must {rule}, got model_type {_arguments.shown(model)}")
    return understood(own)


def _has_text(config: Config) -> bool:
    inner = any(isinstance(config.get(name), Mapping) for name in INNER)
    return inner or "num_hidden_layers" in config or "hidden_size" in config


def _parts(config: Config) -> Iterator[tuple[str, Config]]:
    """The configs of encoders of images and sounds, by their keys."""
    for name, part in config.items():
        if name in INNER and isinstance(part, Mapping):
            yield from _parts(_models.completed(part))
        # With its slice_config MiniCPM-V cuts images.
        outside = str(name).endswith("_config") and name not in (*INNER, "slice_config")
        if outside and isinstance(part, Mapping) and _vision.encodes(part):
            yield name.removesuffix("_config"), {**part}


def _text(config: Config) -> tuple[list[Group], list[Odd], list[Difference]]:
    """The groups of the language model, or of a model that has only one part."""
    own = flat(config)
    model = own.get("model_type")
    if not isinstance(model, str | None):
        raise ValueError(f"model_type must be a string, got {_arguments.shown(model)}")
    encoding = _models.encoding(own)
    if encoding is not None:
        still = Group("all layers", encoding, layers=_layers.every(own))
        return [still], list(_odd.of_keys_without_turning(own, encoding)), []
    if model in _vision.TYPES:
        return list(_vision.groups("all layers", own)), [], []
    found = _understood(_models.as_read(own))
    groups: list[Group] = []
    odd: list[Odd] = []
    programs: list[Difference] = []
    for kind, parameters in found.sets.items():
        rotary = Rotary(**options_of(found, kind))  # which checks the numbers
        group = Group(
            "all layers" if kind is None else kind,
            head_dim=rotary.head_dim,
            rotary_dim=rotary.rotary_dim,
            base=rotary.base,
            layout=_models.layout(found.own),
            scaling=rotary.scaling,
        )
        group = replace(
            group,
            score=_scores.score(found, parameters, group),
            query=_queries.query(found, parameters),
            **_models.sections(found, parameters, group),
        )
        odd += _odd.of_set(found, parameters, kind, group)
        programs += _programs.differences(found, parameters, kind, group)
        groups += _layers.split(found, kind, group)
    odd = [*_odd.of_config(own, found, _models.nulls(config)), *odd]
    return [*groups, *_layers.others(found, groups)], odd, programs
