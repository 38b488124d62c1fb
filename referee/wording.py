"""Words of games in the languages that there are: a catalogue looked up, and an event as a sentence.

A template stands under `say.<kind>`; `{cards}` is a field of the event's body, `{ranking.0}` the first of a list,
and `{traits:trait}` says that its words are found under `trait.`. Where a field of it is null the template
`say.<kind>.none` is taken, which has to do without.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from protocol.vocabulary import LANGS

Catalogue = Mapping[str, tuple[str, ...]]
"""By key, the term in each of LANGS."""
Terms = Mapping[str, str]
_FIELD = re.compile(r"\{(\w+)(?:\.(\d))?(?::(\w+))?\}")


def in_language(catalogue: Catalogue, lang: str) -> dict[str, str]:
    """The terms of one language. Raises ValueError where `lang` is none of LANGS."""
    at = LANGS.index(lang)
    return {key: terms[at] for key, terms in catalogue.items()}


def sentence(terms: Terms, kind: str, body: Mapping[str, Any]) -> str | None:
    """An event in words; None where the catalogue has none for its kind.

    >>> says = {"say.play": "{seat} plays {cards:card}", "say.play.none": "{seat} plays", "card.K": "king"}
    >>> sentence(says, "play", {"seat": 1, "cards": ["K", "Q"]}), sentence(says, "play", {"seat": 1, "cards": None})
    ('1 plays king Q', '1 plays')
    """
    template = terms.get(f"say.{kind}")
    if template is not None and any(body[field] is None for field, _, _ in _FIELD.findall(template)):
        template = terms.get(f"say.{kind}.none", template)
    return template and _FIELD.sub(lambda found: _field(terms, body, *found.groups("")), template)


def _field(terms: Terms, body: Mapping[str, Any], field: str, index: str, family: str) -> str:
    value = body[field]
    return words(terms, value[int(index)] if index else value, family)


def words(terms: Terms, value: Any, family: str = "", inside: bool = False) -> str:
    """A value of an event for people, its words looked up in `family` where there is one.

    >>> words({"trait.bow": "luk"}, [{"bow": 2, "rule": 1}, ["bow", None], [], {"id": None, "up": False}], "trait")
    'luk 2+rule 1, luk+-, -, -'
    """
    match value:
        case None:
            return terms.get(f"{family}.none", "-")
        case bool():
            return words(terms, "yes" if value else "no", family)
        case {"id": one}:
            return words(terms, one, family)
        case Mapping():
            pairs = [
                f"{words(terms, key, family)} {words(terms, one, family, True)}" for key, one in value.items()
            ]
            sign = " " if any(isinstance(one, list) for one in value.values()) else "+" if inside else ", "
            return sign.join(pairs) or terms.get("word.none", "-")
        case list() | tuple():
            parts = [words(terms, one, family, True) for one in value]
            apart = any(isinstance(one, list | Mapping) for one in value) or any(
                " " in part for part in parts
            )
            sign = ", " if apart else "+" if inside else " "
            return sign.join(parts) or terms.get(f"{family}.empty", terms.get("word.none", "-"))
    return _term(terms, str(value), family) if family else str(value)


def _term(terms: Terms, word: str, family: str) -> str:
    """A word's term: of its family, or one that families share."""
    known = (terms.get(f"{group}.{word}") for group in (family, "word", "card"))
    return next((term for term in known if term), word)
