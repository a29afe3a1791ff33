"""The heads of a model, and the order of an array's rows or columns in another layout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from posenc import _arguments
from posenc._columns import IntArray
from posenc.conversion import rotary_row_order
from posenc.plans import Group, Plan
from posenc.plans._data import PASSING
from posenc.plans._formats import as_dict
from posenc.porting._keys import Place
from posenc.rotary._config_names import flat
from posenc.rotary._turn import Layout

Fused = Literal["blocks", "groups"]

_BLOCKS = "baichuan chatglm dbrx modernbert phi3 phi4_multimodal qwen"
_GROUPS = "falcon gpt_neox gpt_neox_japanese internlm2 persimmon"
_GATES = "qwen3_next qwen3_5 qwen3_5_text qwen3_5_moe qwen3_5_moe_text qwen4_exp_text"
# How the code of a type of model reads a fused projection.
_FUSED = {
    **dict.fromkeys(_BLOCKS.split(), "blocks"),
    **dict.fromkeys(_GROUPS.split(), "groups"),
}
_FUSED_NAMES = {"linear_qkv": "groups", "attn_qkv": "blocks"}  # Megatron Core, GGUF
_GATED = frozenset(_GATES.split())  # a head of queries has a gate behind it
_KEY_HEADS = (
    *("key_value_heads", "kv_heads", "n_head_kv", "kv_n_heads", "head_count_kv"),
    *("multi_query_group_num", "num_query_groups", "num_attention_groups"),
)
_RULES = (None, "sections", "sections in turn", "ernie")  # of one frequency for each pair


class Order(NamedTuple):
    """`values` is the order along an `axis` of an array, `words` say what it moves."""

    values: IntArray
    axis: int
    words: str


@dataclass(frozen=True)
class Model:
    """What a config says about heads: `groups` of layers, and the flat config with its numbers."""

    groups: tuple[Group, ...]
    own: Mapping[str, Any]
    source: Layout
    target: Layout
    fused: Fused | None

    @classmethod
    def of(cls, config: Any, source: Layout, target: Layout, fused: Fused | None) -> Model:
        """The model of a config of any format that `Plan` reads, without its encoders of images."""
        given = as_dict(config)
        parts = [name[:-7] for name in map(str, given) if name.endswith("_config")]
        groups = tuple(
            group
            for group in Plan.from_dict(given)
            if group.name not in parts and group.name.partition(":")[0] not in parts
        )
        if not any(group.turns for group in groups):
            raise ValueError("config must be of a model that turns queries and keys")
        return cls(groups, flat(given), source, target, fused)

    def turns(self, layer: int | None) -> bool:
        """Whether the config lets this layer turn, or does not know it."""
        every = self._groups(layer)
        return not every or any(group.turns for group in every)

    def group(self, key: str, place: Place) -> Group:
        """The group of a layer that turns."""
        turning = [group for group in self._groups(place.layer) if group.turns]
        if not turning:
            raise ValueError(f"config must say how layer {place.layer} turns, which has {key}")
        first = turning[0]
        for group in turning:
            if (group.head_dim, group.rotary_dim) != (first.head_dim, first.rotary_dim):
                rule = "state_dict must have numbers of layers where layers differ in their heads"
                raise ValueError(f"{rule}, got {key}")
            if group.rule not in _RULES or group.head_dim is None:
                rule = "config must be of a model whose pairs have one frequency each"
                raise ValueError(f"{rule}, got {group.note or group.name}")
        return first

    def order(self, key: str, place: Place, shape: tuple[int, ...], group: Group) -> Order:
        """The order for one array of queries or keys, or of a norm of them.

        Raises ValueError if the shape does not fit the heads of the config.
        """
        latent, features = self.own.get("qk_rope_head_dim") is not None, group.head_dim or 0
        if latent and place.role in ("keys", "fused", "norm of queries", "norm of keys"):
            raise self._unfit(key, shape, "part of latent attention that posenc knows")
        if not latent and (place.role == "latent" or place.module in ("q_b_proj", "wq_b")):
            raise self._unfit(key, shape, "part of an attention without latent vectors")
        if place.role == "latent":
            return self._latent(key, shape, features)
        if place.role in ("norm of queries", "norm of keys"):
            return self._norm(key, place, shape, group)
        heads, rows = self._query_heads(), shape[0]
        if place.role == "fused":
            return self._fused(key, place, shape, group)
        if place.role == "keys":
            count = self._key_heads(key, shape, rows, features)
            return Order(self._rows(count, group), 0, f"keys, {_heads(count, features)}")
        passing = self._passing() if latent else 0
        gated = self.own.get("model_type") in _GATED and rows == 2 * heads * features
        width = passing + features * (2 if gated else 1)
        if rows != heads * width:
            raise self._unfit(key, shape, f"{heads} heads of queries of {width} features")
        words = f"queries, {_heads(heads, width)}"
        return Order(self._rows(heads, group, width, passing), 0, words)

    def _groups(self, layer: int | None) -> list[Group]:
        own = [one for one in self.groups if layer is None or _has(one, layer)]
        return list(self.groups) if not own and self._is_appended(layer) else own

    def _rows(self, heads: int, group: Group, width: int = 0, first: int = 0) -> IntArray:
        """Order of the rows of `heads` heads of `width` features, which turn from `first` on."""
        within = np.arange(width or group.head_dim or 0)
        turned = group.rotary_dim or 0
        order = rotary_row_order(turned, heads=1, source=self.source, target=self.target)
        within[first : first + turned] = first + order
        return (np.arange(heads)[:, np.newaxis] * len(within) + within).ravel()

    def _latent(self, key: str, shape: tuple[int, ...], features: int) -> Order:
        """The order of the rows of the latent vector, whose last ones are the key that turns."""
        rank = self.own.get("kv_lora_rank", shape[0] - features)
        if shape[0] != rank + features:
            raise self._unfit(key, shape, f"{rank} latent features and {features} that turn")
        order = rotary_row_order(features, heads=1, source=self.source, target=self.target)
        rows = np.append(np.arange(rank), rank + order)
        return Order(rows, 0, f"the last {features} rows, which turn")

    def _norm(self, key: str, place: Place, shape: tuple[int, ...], group: Group) -> Order:
        features, heads = group.head_dim or 0, self._query_heads()
        words = f"{place.role}, {features} features"
        if shape == (features,):
            return Order(self._rows(1, group), 0, words)
        count = heads
        if place.role == "norm of keys":
            count = self._key_heads(key, shape, shape[0] * (features if shape[1:] else 1), features)
        if shape == (count, features):
            return Order(self._rows(1, group), 1, f"{words} of {count} heads")
        if shape == (count * features,):
            return Order(self._rows(count, group), 0, f"{place.role}, {_heads(count, features)}")
        raise self._unfit(key, shape, f"norm of {_heads(count, features)}")

    def _fused(self, key: str, place: Place, shape: tuple[int, ...], group: Group) -> Order:
        by_type = _FUSED.get(str(self.own.get("model_type")))
        arrangement = self.fused or _FUSED_NAMES.get(place.module, by_type)
        if arrangement is None:
            rule = "fused must say how queries, keys and values stand: 'blocks' or 'groups'"
            raise ValueError(f"{rule}, got None for {key}")
        heads, features = self._query_heads(), group.head_dim or 0
        others = shape[0] - heads * features  # keys, and as many values
        count = self._key_heads(key, shape, others // 2 if others % 2 == 0 else -1, features)
        rows = np.arange(shape[0])
        places = rows[: heads * features], rows[heads * features :][: count * features]
        if arrangement == "groups":
            grouped = rows.reshape(count, heads // count + 2, features)
            places = grouped[:, :-2].ravel(), grouped[:, -2].ravel()
        order = rows.copy()
        for own, number in zip(places, (heads, count), strict=True):
            order[own] = own[self._rows(number, group)]
        words = f"{arrangement} of {heads} heads of queries and {count} of keys and values"
        return Order(order, 0, f"{words}, {features} features each")

    def _key_heads(self, key: str, shape: tuple[int, ...], rows: int, features: int) -> int:
        """The number of heads of keys, which have `rows` rows."""
        heads, count = self._query_heads(), rows // features
        named = {
            value
            for name, value in self.own.items()
            if str(name).endswith(_KEY_HEADS) and isinstance(value, int)
        }
        known = not named or count in named or (count == 1 and self.own.get("multi_query"))
        if rows <= 0 or rows % features or heads % count or not known:
            told = " or ".join(map(str, sorted(named))) or "some"
            raise self._unfit(key, shape, f"{told} heads of keys of {features} features")
        return count

    def _query_heads(self) -> int:
        name = f"{self.own.get('general.architecture')}.attention.head_count"
        value = self.own.get("num_attention_heads", self.own.get(name))
        if value is None:
            raise ValueError("config must have num_attention_heads")
        return _arguments.integer("num_attention_heads", value, least=1)

    def _passing(self) -> int:
        """Features of a query in latent attention that do not turn; they come first."""
        known = PASSING.get(str(self.own.get("model_type")))
        value = self.own.get("qk_nope_head_dim", known)
        if value is None:
            raise ValueError("config must have qk_nope_head_dim beside qk_rope_head_dim")
        return _arguments.integer("qk_nope_head_dim", value, least=0)

    def _is_appended(self, layer: int | None) -> bool:
        """Whether it is a layer that predicts further tokens, behind the others (DeepSeek-V3)."""
        number, more = self.own.get("num_hidden_layers"), self.own.get("num_nextn_predict_layers")
        if layer is None or not isinstance(number, int) or not isinstance(more, int):
            return False
        return number <= layer < number + more

    def _unfit(self, key: str, shape: tuple[int, ...], rule: str) -> ValueError:
        return ValueError(f"state_dict must hold {rule}, got {key} of shape {shape}")


def _has(group: Group, layer: int) -> bool:
    return group.layers is None or layer in group.layers


def _heads(count: int, features: int) -> str:
    return f"{count} head{'' if count == 1 else 's'} of {features} features"
