"""What is posted of the house's charges and limits: read from the record that computes them (L-P22, L-P102)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from casino.errors import NotFound
from casino.poker.rake import RakeWay
from casino.poker.rake_ways import ShareRake, StepRake, TierRake
from casino.poker.time_charge import TimeCharge
from casino.rooms.models import RuleBookVersion
from casino.rooms.selectors import rule_book, rule_book_in_force
from casino.rulebooks import RuleBook
from casino.rulebooks.schema import Timers
from tables.models import Game, Table
from tables.selectors.by_time import sentences_by_time
from tables.selectors.ladder import Ladder, ladder_of
from tables.selectors.running import games_on_offer


@dataclass(frozen=True)
class PostedRake:
    """
    One way of taking a rake: its ladder as the dealers' tablets compute by it, and what it is in a sentence's figures.

    `participants_max` is set where it is what a short table pays instead (U95).
    """

    ladder: Ladder
    step: StepRake | None
    share: ShareRake | None
    tiers: TierRake | None
    participants_max: int | None = None

    @property
    def rows(self) -> Sequence[tuple[int, int]]:
        """Return (pot from which, rake) in cents, without the pots that pay nothing."""
        return [step for step in self.ladder.steps if step[1]]

    @property
    def maximum_cents(self) -> int | None:
        """Return the most that one hand pays, None where there is no maximum (H1.83)."""
        if self.share is not None:
            return self.share.maximum_cents
        return self.ladder.steps[-1][1] if self.ladder.maximum_from is not None else None

    @property
    def rate(self) -> str:
        """Return a share in per cent, without idle noughts: "5.5"."""
        return f"{self.share.rate_bp / 100:g}" if self.share and self.share.rate_bp else ""


@dataclass(frozen=True)
class PostedGame:
    """One game: its row, what it charges, and the larger betting unit of limit, 0 elsewhere (H4.11)."""

    game: Game
    rakes: Sequence[PostedRake]
    is_due_without_flop: bool
    time: TimeCharge | None
    big_bet_cents: int


@dataclass(frozen=True)
class Posted:
    """
    The sheet of the room, or of one table. `version` is the rule book that its hands are computed under.

    Whoever is called is called by the `book` in force; `timers` are those of the clock and of breaks: a table's own.
    `by_time` says what a table pays by the time instead of a charge of its hands.
    """

    version: RuleBookVersion
    book: RuleBook
    timers: Timers
    games: Sequence[PostedGame]
    table: Table | None = None
    by_time: Sequence[str] = ()


def posted_in_room(room_id: int, *, at: datetime) -> Posted:
    """Return the sheet of the games on offer. Three queries."""
    version_id, book = rule_book_in_force(room_id, at=at)
    version = RuleBookVersion.objects.get(id=version_id)
    return Posted(version, book, book.timers, [posted_game(game, book) for game in games_on_offer(room_id)])


def posted_at_table(room_id: int, number: int, *, at: datetime) -> Posted:
    """
    Return the sheet of a table: the game as it was opened, which a later book does not change (L-P23). Three queries.

    :raises NotFound: the room has no such table, or it runs nothing.
    """
    table = Table.objects.filter(room_id=room_id, number=number).select_related("room", "opening__game").first()
    if table is None or table.opening is None:
        raise NotFound(what="table")
    version = RuleBookVersion.objects.get(id=table.opening.rule_book_version_id)
    _id, book = rule_book_in_force(room_id, at=at)
    games = [posted_game(table.opening.game, rule_book(version.pk))]
    sentences = sentences_by_time(table.opening, table.room)
    return Posted(version, book, table.opening.terms.timers, games, table, sentences)


def posted_game(game: Game, book: RuleBook) -> PostedGame:
    """Return what is posted of one game; `book` is the one whose game it is."""
    policy = game.rake_policy
    rakes = [_rake(policy.way)] if policy else []
    rakes += [_rake(short.way, short.participants_max) for short in policy.relief] if policy else []
    return PostedGame(
        game=game,
        rakes=rakes,
        is_due_without_flop=policy is not None and policy.is_due_without_flop,
        time=game.time_policy,
        big_bet_cents=next((each.big_bet_cents for each in book.games if each.name == game.name), 0),
    )


def _rake(way: RakeWay, participants_max: int | None = None) -> PostedRake:
    return PostedRake(
        ladder=ladder_of(way),
        step=way if isinstance(way, StepRake) else None,
        share=way if isinstance(way, ShareRake) else None,
        tiers=way if isinstance(way, TierRake) else None,
        participants_max=participants_max,
    )
