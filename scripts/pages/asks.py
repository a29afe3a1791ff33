"""The forms of exercises: they stand in the page, so that nothing moves when their script comes.

docs/assets/ask/start.js answers them. Until then a form is inert; without JavaScript it is hidden.
"""

from __future__ import annotations

import re
from itertools import count

_EXERCISE = re.compile(r'(?P<start><div class="ask".*?)(?=<details.*?<ul>(?P<list>.*?)</ul>)', re.S)
_CHOICE = re.compile(r"<li>.*?<(?:strong|em)>(.*?)</(?:strong|em)>", re.S)
_NUMBER = (
    '<label>Your answer <input inputmode="decimal" autocomplete="off"></label>'
    '<button class="md-button">Check</button>'
)


def with_forms(html: str) -> str:
    """`html` with a form before the fold of each exercise: a field for a number, or its choices.

    >>> ask = '<div class="ask"><p>3?</p><details><ul><li>{}</li></ul></details></div>'
    >>> "<input" in with_forms(ask.format("<data>3</data>"))
    True
    >>> 'value="0" aria-pressed="false">yes<' in with_forms(ask.format("<strong>yes</strong>: ..."))
    True
    """
    return _EXERCISE.sub(lambda found: found["start"] + _form(found["list"]), html)


def _form(items: str) -> str:
    is_number = re.search(r"<(data|strong|em)\b", items)[1] == "data"  # type: ignore[index]
    buttons = "".join(map(_button, count(), _CHOICE.findall(items)))
    choices = f"<fieldset><legend>Your answer</legend>{buttons}</fieldset>"
    fields = _NUMBER if is_number else choices
    return f'<form class="ask-form" inert>{fields}<output></output></form>'


def _button(number: int, text: str) -> str:
    """A choice, with a name in plain text if it is a formula: not all programs read those."""
    name = f' aria-label="{re.sub(r"<[^>]*>", "", text)}"' if "<math" in text else ""
    start = f'<button class="md-button" type="button" value="{number}" aria-pressed="false"'
    return f"{start}{name}>{text}</button>"
