"""The course of a game: plays, recruits and smashes, trick by trick, phase by phase (Claim 3 to 6).

    start_trick -> PLAY ... PLAY -> _end_of_plays --recruit phase--> _recruit (RECRUIT ...) --> _end_trick
                                                  --favour phase---> _capture (SMASH ...) ----> _end_trick

These functions change a `Table` in place, and are the only ones that are handed a whole one.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.game import IllegalAction
from referee.games.claim.actions import (
    FOLLOWS,
    TAKE,
    TAKE_DECK,
    TEXTS,
    holds,
    legal_actions,
)
from referee.games.claim.cards import LETTERS, Card
from referee.games.claim.events import (
    DEAL,
    END,
    PHASE,
    PLAYS,
    RECRUITS,
    TRICK,
    TURNED,
    log_draw,
    log_look,
)
from referee.games.claim.powers import (
    gather_gnomes,
    give,
    give_leftover_trolls,
    give_rest,
    give_undead,
    share_out,
    smash_all,
    smash_one,
    special,
)
from referee.games.claim.scoring import outcome, owners
from referee.games.claim.state import (
    IDLE,
    NOBODY,
    PLAY,
    RECRUIT,
    SMASH,
    UNSEEN,
    Left,
    Private,
    Public,
    Table,
    Trick,
    dealt,
)
from referee.games.claim.tricks import factions_of, next_leader, ranking, winner_looks
from referee.games.claim.variants import ClaimVariant


def begin(variant: ClaimVariant, cards: Sequence[Card]) -> Table:
    """A game dealt from `cards`, an ordering of the variant's deck (Claim 2.6), ready for the first play."""
    table = dealt(variant, cards)
    for seat, zone in enumerate(table.private):
        table.log.append((DEAL, seat, *zone.hand))
    _start_trick(table)
    return table


def apply(table: Table, seat: int, action: int) -> None:
    """Do what `seat` decided. Raises IllegalAction, and changes nothing, where it may not."""
    public = table.public
    if seat != public.turn:
        raise IllegalAction(f"seat {seat} may do nothing now: it is not its turn")
    if public.decision == PLAY:
        _play(table, seat, action)
        return
    if action not in legal_actions(public, table.private[seat]):
        raise _illegal(public, table.private[seat], seat, action)
    public.stale = True
    if public.decision == RECRUIT:
        if action == TAKE_DECK:
            _take_top(table, seat)
        else:
            _take_faceup(table, seat, action - TAKE)
        _recruit(table)
    else:
        smash_one(table, [action // 100 - 3])
        _capture(table)


def _illegal(public: Public, zone: Private, seat: int, action: int) -> IllegalAction:
    legal = " ".join(TEXTS[known] for known in legal_actions(public, zone))
    return IllegalAction(f"seat {seat} may not take action {action}; legal: {legal}")


def _play(table: Table, seat: int, card: int) -> None:
    public = table.public
    zone = table.private[seat]
    plays = public.plays
    if card not in zone.faces:
        raise _illegal(public, zone, seat, card)
    if plays:
        led = plays[0] // 10
        if card // 10 != led and not _may_throw(public, zone, card, led):
            raise _illegal(public, zone, seat, card)
    zone.lay(card)
    plays.append(card)
    table.log.append(PLAYS[seat][card])
    if public.favour:
        forget(public.known, table.private, seat, card)
    players = public.players
    if len(plays) < players:
        public.turn = (seat + 1) % players
    else:
        _end_of_plays(table)


def _may_throw(public: Public, zone: Private, card: Card, led: int) -> bool:
    """Whether a card not of the led faction may be played; if it shows the hand to lack F, that is noted."""
    if FOLLOWS[led][card]:
        return True
    if holds(zone, led):
        return False
    if LETTERS[led] not in public.voids[public.turn]:
        public.voids[public.turn] += LETTERS[led]
    return True


def forget(known: list[list[Card]], private: list[Private], seat: int, card: Card) -> None:
    """`seat` has played a card that all, or a Seer's winner, may have known it to hold (Claim 8)."""
    if card in known[seat]:
        known[seat].remove(card)
        return
    for zone in private:
        for left in zone.left:
            if left.seat == seat and left.card == card:
                zone.left.remove(left)
                break


def _start_trick(table: Table) -> None:
    """Turn up the cards to win, unless one stayed (Claim 4.1, 5.4); the leader plays."""
    public = table.public
    public.decision = PLAY
    public.turn = public.leader
    if not public.favour and not public.faceup:
        turned, deck = public.variant.turned, table.hidden.deck
        public.deck -= turned
        public.faceup = [deck.pop() for _ in range(turned)]
        table.log.append((TURNED, NOBODY, *public.faceup))


def _end_of_plays(table: Table) -> None:
    """Rank the trick, and do its work in the order of Claim 6."""
    public = table.public
    variant, leader, plays = public.variant, public.leader, public.plays
    public.stale = True
    public.ranking = ranking(variant, leader, plays)
    factions = factions_of(plays)
    winner = public.ranking[0]
    last = public.number + 1 == public.each
    public.leads = next_leader(public, factions, last and not public.favour)
    over = last and public.favour
    table.log.append((TRICK, NOBODY if over else public.leads) + public.ranking)
    if public.favour:
        if special(public, factions):
            share_out(table, factions)
            _capture(table)
        else:
            give(table, winner, plays)
            _end_trick(table)
        return
    give_undead(table, factions)
    if winner_looks(variant, leader, plays, winner):
        card = table.hidden.deck[-1]
        table.private[winner].look = card
        log_look(table, winner, card)
        _ask(public, winner, RECRUIT)
    else:
        _recruit(table)


def _ask(public: Public, seat: int, decision: int) -> None:
    public.turn = seat
    public.decision = decision


def _recruit(table: Table) -> None:
    """Recruits in order of rank, until one has to choose (Claim 4.1, 5.4)."""
    public = table.public
    order = public.ranking
    while public.taken < len(order):
        seat = order[public.taken]
        if len(public.faceup) > 1:
            _ask(public, seat, RECRUIT)
            return
        if public.faceup and not _loser_draws(public):
            _take_faceup(table, seat, public.faceup[0])
        else:
            _take_top(table, seat)
    _end_trick(table)


def _loser_draws(public: Public) -> bool:
    """Option `seer_loser=draw`: the winner took the deck's top card, and so does the loser (Claim 5.4)."""
    drew = public.taken == 1 and public.players == 2 and public.deck > 0
    return drew and public.variant.options.seer_loser == "draw"


def _take_faceup(table: Table, seat: int, card: Card) -> None:
    public = table.public
    public.faceup.remove(card)
    public.known[seat].append(card)
    public.recruits[seat] = card
    public.taken += 1
    table.private[seat].recruited.append(card)
    table.log.append(RECRUITS[seat][card])


def _take_top(table: Table, seat: int) -> None:
    """`seat` recruits the top card, unseen by all but a Seer's winner who looked at it (Claim 5.4)."""
    public = table.public
    looker = table.private[public.ranking[0]]
    public.deck -= 1
    card = table.hidden.deck.pop()
    knowers: tuple[int, ...] = (seat,)
    if looker.look != UNSEEN:
        looker.look = UNSEEN
        if seat != public.ranking[0]:
            looker.left.append(Left(len(public.tricks), card, seat))
            knowers = (public.ranking[0], seat)
    public.taken += 1
    table.private[seat].recruited.append(card)
    log_draw(table, seat, card, knowers)


def _capture(table: Table) -> None:
    """The favour phase from the Giants on, until one has to be aimed (Claim 6)."""
    public = table.public
    if not smash_all(table):
        _ask(public, public.ranking[0], SMASH)
        return
    give_rest(table)
    _end_trick(table)


def _end_trick(table: Table) -> None:
    public = table.public
    recruits: list[Card] = []
    winner = public.ranking[0]
    if not public.favour:
        recruits = public.recruits
        public.recruits = [UNSEEN] * public.players
        public.taken = 0
    public.tricks.append(Trick(public.leader, public.plays, public.ranking, recruits))
    public.leader = public.leads
    public.plays, public.ranking, public.leads = [], (), NOBODY
    public.number += 1
    if public.number == public.each:
        if public.favour:
            _end_game(table, winner)
            return
        _start_favour(table)
    _start_trick(table)


def _start_favour(table: Table) -> None:
    """The followers become the hands (Claim 4.2); what the old hands lacked says nothing of them."""
    public = table.public
    public.favour = True
    public.number = 0
    public.voids = [""] * public.players
    for zone in table.private:
        zone.take_up()
    table.log.append((PHASE, public.leader))


def _end_game(table: Table, winner: int) -> None:
    public = table.public
    give_leftover_trolls(table, winner)
    gather_gnomes(table)
    _ask(public, NOBODY, IDLE)
    held = owners(public)
    result = outcome(public, held)
    table.log.append((END, NOBODY, *held, *result.scores, *result.ranks))
