"""What a seat may know, built from the public zone and its own private one (Aristoocrazy R36, R37a); and what
anybody may.

Nothing here is handed a `Table`, so nothing here can show what the seat may not see.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from referee.games.aristoocrazy.actions import text
from referee.games.aristoocrazy.battles import battle_of, survivors
from referee.games.aristoocrazy.births import rolled
from referee.games.aristoocrazy.data import CHARACTERS, FIELDS, SEXES, TRAITS
from referee.games.aristoocrazy.evaluation import due, event_of, hazard_of
from referee.games.aristoocrazy.events import (
    Body,
    card_ids,
    card_names,
    char_name,
    counts,
    row_body,
    seat_or_none,
    trait_names,
)
from referee.games.aristoocrazy.people import family
from referee.games.aristoocrazy.state import (
    AFTERMATH,
    BIDDING,
    CONSENT,
    DECISIONS,
    DOWRY,
    GO_ON,
    HEIR_PLACE,
    LAYING,
    OCCASIONS,
    OVER,
    PAYING,
    PHASES,
    RED,
    RELIEF,
    REROLL,
    RETREAT,
    STAKE,
    UNSEEN,
    VICTIM,
    WOMAN,
    Birth,
    Courtship,
    Private,
    Public,
    Roll,
)


def view(public: Public, private: Private, seat: int) -> Body:
    """All that `seat` may know; the README says what each field is."""
    decision = _decision(public)
    if decision and public.decision == WOMAN:
        decision["man"] = trait_names(private.man)
    return {
        "variant": public.variant.id,
        "seat": seat,
        "to_act": list(public.pending),
        "decision": decision,
        **_board(public),
        "houses": [_house_seen(public, private, seat, house) for house in range(public.players)],
        **_cards(public),
        "sealed": None if private.sealed == UNSEEN else text(private.sealed),
        "committed": None if private.staked is None else counts(private.staked),
        "traces": {
            "tokens": private.tokens.trace_json(TRAITS),
            "cards": private.cards.trace_json(card_ids()),
        },
    }


def public_view(public: Public) -> Body:
    """All that somebody may know who sits in no seat."""
    return {
        "variant": public.variant.id,
        "to_act": list(public.pending),
        "decision": _decision(public),
        **_board(public),
        "houses": [_house(public, house) for house in range(public.players)],
        **_cards(public),
    }


def _board(public: Public) -> Body:
    variant = public.variant
    return {
        "phase": PHASES[public.phase],
        "round": public.round,
        "rounds": variant.rounds,
        "order": list(public.order),
        "turn": seat_or_none(public.turn),
        "row": row_body(variant, public.row),
        "evaluated": [variant.events[card].id for card in public.evaluated],
        "fields": {
            FIELDS[field]: {"owner": seat_or_none(public.owner[field]), "palisade": field in public.palisades}
            for field in variant.board.fields
        },
        "characters": [
            _character(public, char) for house in range(public.players) for char in family(public, house)
        ],
    }


def _cards(public: Public) -> Body:
    return {
        "card_played": public.card_played,
        "mercenaries": public.hired > 0,
        "actions": {"deck": public.deck, "discard": card_names(public.discard)},
    }


def _character(public: Public, char: int) -> Body:
    return {
        "id": CHARACTERS[char],
        "field": FIELDS[public.where[char]],
        "traits": trait_names(public.traits[char]),
        "red": public.red[char],
        "acted": public.acted[char],
        "new": public.fresh[char],
    }


def _house(public: Public, house: int, own: bool = False) -> Body:
    """What all see of a house, and its points where it is their `own`."""
    body: Body = {"seat": house}
    if own or public.variant.public_vp or public.phase == OVER:
        body["vp"] = public.vp[house]
    return body | {
        "stash_size": public.size[house],
        "hand_size": public.cards_held[house],
        "trophies": public.trophies[house],
        "wounds": public.wounds[house],
        "battles_won": public.battles_won[house],
        "crests_left": public.crests[house],
        "attacked": public.attacked[house],
        "gained_land": public.gained_land[house],
        "heirs_born": public.heirs_born[house],
    }


def _house_seen(public: Public, private: Private, seat: int, house: int) -> Body:
    body = _house(public, house, house == seat)
    if house == seat:
        return body | {"stash": counts(private.stash), "hand": card_names(private.hand)}
    ids, cards = card_ids(), private.cards.known[house]
    return body | {
        "known": {
            "stash": counts(private.tokens.known[house]),
            "unknown": private.tokens.unknown[house],
            "vp": public.vp[house],
            "hand": [ids[card] for card, count in enumerate(cards) if count for _ in range(count)],
        }
    }


def _decision(public: Public) -> Body | None:
    if public.decision == GO_ON:
        return None
    about = _ABOUT.get(public.decision)
    return {"kind": DECISIONS[public.decision], **(about(public) if about else {})}


def _reroll(public: Public) -> Body:
    roll = public.task
    assert isinstance(roll, Roll)
    return {
        "die": OCCASIONS[roll.die],
        "dice": list(roll.dice),
        "traits": trait_names(rolled(public, roll)),
        "slots": None if roll.die == RED else trait_names(roll.slots),
        "for": roll.purpose,
        "sex": SEXES[roll.sex] if roll.die == RED else None,
        "char": char_name(roll.char),
        "partner": char_name(roll.partner),
        "field": FIELDS[roll.field],
    }


def _heir(public: Public) -> Body:
    birth = public.task
    assert isinstance(birth, Birth)
    return {"traits": trait_names(birth.traits)} | _parents(birth.char, birth.partner, birth.field)


def _courtship(public: Public) -> Body:
    courtship = public.task
    assert isinstance(courtship, Courtship)
    return _parents(*courtship)


def _parents(char: int, partner: int, field: int) -> Body:
    return {"char": char_name(char), "partner": char_name(partner), "field": FIELDS[field]}


def _fight(public: Public) -> Body:
    battle = battle_of(public)
    attacker, defender = battle.seats
    return {
        "char": CHARACTERS[battle.char],
        "attacker": attacker,
        "defender": defender,
        "field": FIELDS[battle.field],
    }


def _stake(public: Public) -> Body:
    battle = battle_of(public)
    defenders = [CHARACTERS[char] for char in battle.defenders]
    return _fight(public) | {"defenders": defenders, "mercenaries": battle.bonus > 0}


def _laying(public: Public) -> Body:
    battle = battle_of(public)
    return _stake(public) | {
        "taught": [trait_names(traits) for traits in battle.taught],
        "playable": list(battle.playable),
        "laid": [trait_names(traits) for traits in battle.laid],
        "wins": list(battle.wins),
    }


def _aftermath(public: Public) -> Body:
    battle = battle_of(public)
    return _fight(public) | {"survivors": [CHARACTERS[char] for char in survivors(public, battle)]}


def _retreat(public: Public) -> Body:
    fleeing = battle_of(public).fleeing
    return _fight(public) | {"fleeing": [CHARACTERS[char] for char in fleeing]}


def _bidding(public: Public) -> Body:
    event = event_of(public)
    return {"event": event.id, "trait": TRAITS[event.trait]}


def _paying(public: Public) -> Body:
    event = event_of(public)
    cost = {TRAITS[trait]: count for trait, count in event.cost}
    return {"event": event.id, "cost": cost or None, "different": event.different or None}


def _relief(public: Public) -> Body:
    return _bidding(public) | {"due": [due(public, seat) for seat in range(public.players)]}


def _victim(public: Public) -> Body:
    hazard = hazard_of(public)
    aged = [CHARACTERS[char] for char in hazard.aged]
    return {"event": event_of(public).id, "missing": list(hazard.missing), "aged": aged}


_ABOUT: Final[dict[int, Callable[[Public], Body]]] = {
    REROLL: _reroll,
    HEIR_PLACE: _heir,
    CONSENT: _courtship,
    DOWRY: _courtship,
    STAKE: _stake,
    LAYING: _laying,
    AFTERMATH: _aftermath,
    RETREAT: _retreat,
    BIDDING: _bidding,
    PAYING: _paying,
    RELIEF: _relief,
    VICTIM: _victim,
}
"""What all know a decision to be about, by kind."""
