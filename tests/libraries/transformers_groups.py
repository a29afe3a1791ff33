"""What transformers does with positions, measured in a forward pass of the model.

The model is built without weights: a linear layer returns one row for all tokens. A pass over a
few tokens runs the model's own code, and nothing is read from names of options: the function
that turns queries is called again with unit vectors, and the attention function sees the scale,
the window, and how long the queries are at each position.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from torch import nn

TOKENS = 11  # no model has so many heads
LAYER = re.compile(r"(?:layers|h|blocks|layer)\.(\d+)$")
# Parts of a layer that know no positions.
SKIPPED = re.compile(
    "mlp|feed_forward|block_sparse_moe|moe|ffn|mamba|.*linear_attn|conv|short_conv|mixer"
)
Group = dict[str, Any]
CORPUS = Path(__file__).parents[1] / "data" / "corpus"


def groups(config: dict[str, Any]) -> list[Group]:
    """Layers that treat positions alike: how their queries turn, and the scale of their scores."""
    text = _text(config)
    model = _model(text)
    few = torch.arange(TOKENS)[None]
    near = _layers(model, few)
    last = max(int(getattr(text, "max_position_embeddings", 0) or 0) - 1, TOKENS)
    try:
        far = _layers(model, torch.cat([few[:, :-1], torch.tensor([[last]])], 1))
    except RuntimeError:  # sparse attention of MiniMax-M3 wants neighbouring positions
        far = near
    axes: list[Any] = [None] * 3
    if any(hasattr(module, "mrope_section") for module in model.modules()):
        axes = [_layers(model, torch.stack([few * (a == b) for b in range(3)])) for a in range(3)]
    found: list[Group] = []
    for number, layer in sorted(near.items()):
        group = _group(layer, far[number], [part and part[number] for part in axes], last)
        same = [other for other in found if {**other, "layers": []} == group]
        if same:
            same[0]["layers"].append(number)
        else:
            found.append(group | {"layers": [number]})
    return found or [{"layers": [], "turn": None}]  # attention under other names, as in BERT


def _group(near: Group, far: Group, axes: list[Any], last: int) -> Group:
    turn, long = _turn(near.get("turn")), _turn(far.get("turn"))
    group: Group = {"layers": []}
    group |= {key: near[key] for key in ("width", "scale", "window") if key in near}
    if turn and axes[0]:
        moved = [(axis.get("turn") or {"pairs": []})["pairs"] for axis in axes]
        turn["axes"] = [
            next(a for a in range(3) if pair in moved[a]) for pair in near["turn"]["pairs"]
        ]
    group["turn"] = turn
    if turn and long and long["frequencies"] != turn["frequencies"]:
        group["long"] = {"position": last, **{k: long[k] for k in ("frequencies", "factor")}}
    longer = far.get("lengths", [1.0])[-1]
    if turn and long:
        longer *= turn["factor"] / long["factor"]
    if abs(longer - 1) > 1e-4:
        group["temperature"] = {"position": last, "factor": round(longer, 5)}
    return group


def _turn(measured: Group | None) -> Group | None:
    if measured is None or not measured["pairs"]:
        return None
    pairs = measured["pairs"]
    first, apart = pairs[0][0], pairs[0][1] - pairs[0][0]
    halves = apart > 1
    span = 2 * apart if halves else 2 * len(pairs)
    numbers = [first + (i if halves else 2 * i) for i in range(span // 2)]
    expected = [(i, i + apart) for i in numbers]
    if pairs != expected[: len(pairs)]:
        raise ValueError(f"pairs {pairs} are neither halves nor neighbours")
    return {
        **({"first": first} if first else {}),
        "span": span,
        "layout": "halves" if halves else "interleaved",
        "factor": round(measured["factor"], 6),
        "frequencies": [float(f"{angle:.7g}") for angle in measured["angles"][:, 1]],
    }


def _text(config: dict[str, Any]) -> Any:
    kind = type(transformers.AutoConfig.for_model(config["model_type"]))
    text = kind.from_dict(dict(config)).get_text_config(decoder=True)
    text.vocab_size, text.pad_token_id = 64, None  # unused
    return text


def _layers(model: nn.Module, positions: torch.Tensor) -> dict[int, Group]:
    for pair in (False, True):  # the expert layers of a few models return two things
        _Pass.pair = pair
        try:
            return _pass(model, positions)
        except (ValueError, TypeError) as error:
            if pair or not re.search("unpack|tuple", str(error)):
                raise
    raise AssertionError


def _pass(model: nn.Module, positions: torch.Tensor) -> dict[int, Group]:
    probe = _Probe()
    hooks = [
        module.register_forward_pre_hook(probe.entering(int(number[1])))
        for name, module in model.named_modules()
        if (number := LAYER.search(name))
    ]
    with torch.no_grad(), _watched(sys.modules[type(model).__module__], probe):
        tokens = torch.ones(1, TOKENS, dtype=torch.long)
        model(input_ids=tokens, position_ids=positions, use_cache=False)
    for hook in hooks:
        hook.remove()
    return probe.layers


@contextmanager
def _watched(library: Any, probe: _Probe) -> Iterator[None]:
    changed = [
        (library, name, probe.watching(function))
        for name, function in vars(library).items()
        if re.match("apply_.*(rot|rope)", name)
    ]
    if "eager_attention_forward" in vars(library):
        changed.append((library, "eager_attention_forward", probe.attend))
    changed += [(nn.Linear, "forward", _one_row), (nn.Embedding, "forward", _ones)]
    kept = [(place, name, getattr(place, name)) for place, name, _ in changed]
    for place, name, new in changed:
        setattr(place, name, new)
    try:
        yield
    finally:
        for place, name, old in kept:
            setattr(place, name, old)


class _Probe:
    def __init__(self) -> None:
        self.layer = -1
        self.layers: dict[int, Group] = {}
        self.known: dict[Any, Group] = {}

    def entering(self, number: int) -> Callable[..., None]:
        def enter(*_: Any) -> None:
            self.layer = number

        return enter

    def attend(
        self, _module: Any, query: Any, _key: Any, value: Any, *_: Any, **options: Any
    ) -> tuple[torch.Tensor, None]:
        lengths = _by_token(query)[:, 0].norm(dim=-1)
        self.layers.setdefault(self.layer, {}).update(
            width=query.shape[-1],
            scale=None if options.get("scaling") is None else float(f"{options['scaling']:.7g}"),
            window=options.get("sliding_window"),
            lengths=(lengths / lengths[0]).tolist(),
        )
        return torch.zeros(*query.shape[:-1], value.shape[-1]).transpose(1, 2), None

    def watching(self, turn: Callable[..., Any]) -> Callable[..., Any]:
        names = list(inspect.signature(turn).parameters)

        def watched(*args: Any, **kwargs: Any) -> Any:
            given = {**dict(zip(names, args, strict=False)), **kwargs}
            query = given.pop(names[0])
            here = self.layers.setdefault(self.layer, {})
            if "turn" not in here:
                rest = {n: t for n, t in given.items() if not n.startswith(("k", "xk"))}
                key = (turn, query.shape, *(_content(value) for value in rest.values()))
                if key not in self.known:
                    self.known[key] = _measured(lambda x: turn(x, **given), query)
                here["turn"] = self.known[key]
            return turn(query, **given)

        return watched


def _measured(turn: Callable[..., Any], query: torch.Tensor) -> Group:
    """Pairs of features that turn into each other, and their angles at each position."""
    rows = []
    if query.ndim == 4:  # one head is enough
        query = query.narrow(3 - list(query.shape).index(TOKENS), 0, 1)
    for feature in range(query.shape[-1]):
        unit = torch.zeros_like(query, dtype=torch.float32)
        unit[..., feature] = 1
        turned = turn(unit)
        turned = turned[0] if isinstance(turned, tuple) else turned
        rows.append(_by_token(turned)[:, 0])
    turned = torch.stack(rows, 1).double().numpy()  # (token, feature in, feature out)
    reached = np.abs(turned[1:]).max(0) > 0
    pairs, angles, sizes = [], [], []
    for i in range(len(reached)):
        partners = [j for j in range(i + 1, len(reached)) if (reached[i] == reached[j]).all()]
        if reached[i].sum() == 2 and partners:
            low, high = np.flatnonzero(reached[i])
            pairs.append((i, *partners))
            angles.append(np.arctan2(turned[:, i, high], turned[:, i, low]))
            sizes.append(np.hypot(turned[:, i, high], turned[:, i, low]))
    return {"pairs": pairs, "angles": np.array(angles), "factor": float(np.mean(sizes or [1.0]))}


def _by_token(x: torch.Tensor) -> torch.Tensor:
    x = x.detach().float().movedim(list(x.shape).index(TOKENS), 0)
    return x.reshape(TOKENS, -1, x.shape[-1])


def _content(given: Any) -> Any:
    return given.detach().numpy().tobytes() if isinstance(given, torch.Tensor) else repr(given)


def _model(config: Any) -> nn.Module:
    with torch.device("meta"):
        try:
            model = transformers.AutoModel.from_config(config, attn_implementation="eager")
        except ValueError:  # the part for text has no entry of its own
            library = importlib.import_module(
                type(config).__module__.replace("configuration", "modeling")
            )
            name = type(config).__name__.replace("Config", "Model")
            model = vars(library)[name]._from_config(config, attn_implementation="eager")
    for name, module in list(model.named_modules()):
        for part, inner in list(module.named_children()):
            kind = type(inner).__name__
            if LAYER.search(name) and SKIPPED.fullmatch(part) and "Attention" not in kind:
                setattr(module, part, _Pass())
            elif "Rotary" in kind:
                setattr(module, part, type(inner)(config=getattr(inner, "config", config)))
    for module in model.modules():
        for part, held in list(module.named_parameters(recurse=False)):
            if held.is_meta and held.numel() < 1 << 20:
                module._parameters[part] = nn.Parameter(torch.ones(held.shape))
        for part, held in list(module.named_buffers(recurse=False)):
            if held.is_meta:
                module._buffers[part] = torch.ones(held.shape, dtype=held.dtype)
    return model.eval()


class _Pass(nn.Module):
    pair = False

    def forward(self, x: Any = None, *_: Any, hidden_states: Any = None, **__: Any) -> Any:
        x = hidden_states if x is None else x
        return (x, x) if self.pair else x


def _one_row(self: nn.Linear, x: torch.Tensor) -> torch.Tensor:
    row = torch.randn(self.out_features, generator=torch.Generator().manual_seed(0))
    return row.expand(*x.shape[:-1], -1)


def _ones(self: nn.Embedding, x: torch.Tensor) -> torch.Tensor:
    return torch.ones(*x.shape, self.embedding_dim)


def answers(corpus: dict[str, Any], old: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The groups of each config that transformers reads; `old` answers stay as they are."""
    known: dict[str, list[Group]] = {}
    for name, held in sorted(corpus.items(), key=lambda item: len(str(item[1]["config"]))):
        config = {**held["config"], "model_type": held.get("as", held["config"].get("model_type"))}
        known_type = config["model_type"] in transformers.CONFIG_MAPPING
        if name in old or not known_type or "dim" in config:  # params.json has `dim`
            continue
        key = json.dumps(config, sort_keys=True)
        try:
            found = known.setdefault(key, known.get(key) or groups(config))
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {error}"[:300], file=sys.stderr)
            continue
        yield name, {"by": f"transformers {transformers.__version__}", "groups": found}


def written(path: Path, entries: dict[str, Any]) -> None:
    rows = [f"{json.dumps(name)}: {json.dumps(held)}" for name, held in sorted(entries.items())]
    path.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


def main() -> None:
    corpus = json.loads((CORPUS / "configs.json").read_text("utf-8"))
    older = json.loads((CORPUS.parent / "rotary" / "published.json").read_text("utf-8"))
    corpus |= {f"published {name}": held for name, held in older.items()}
    path = CORPUS / "answers.json"
    told = json.loads(path.read_text("utf-8")) if path.exists() else {}
    for name, answer in answers(corpus, told):
        told[name] = answer
        written(path, told)
    path = CORPUS / "variants.json"
    variants = json.loads(path.read_text("utf-8"))
    for held in variants.values():
        if not {"groups", "fails"} & held.keys():
            held["by"] = f"transformers {transformers.__version__}"
            try:
                held["groups"] = groups(held["config"])
            except Exception as error:
                held["fails"] = f"{type(error).__name__}: {' '.join(str(error).split())}"[:200]
            written(path, variants)


if __name__ == "__main__":
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    main()
