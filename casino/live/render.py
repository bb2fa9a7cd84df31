"""
Fragments, rendered from one snapshot of the database, and the stamp that orders them.

A screen's fragment spans many rows, so no row's version orders it. The snapshot does: of two
fragments the one with the greater stamp has seen everything that the other one has.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass

from django.db import connection
from django.utils import translation

from casino import seldom
from casino.errors import NotFound
from casino.live.audiences import NamedAudience, find
from casino.reading import keeping, reading_once, snapshot

# The cluster's birth and its timeline come first: after a restore or a failover transaction numbers may start
# lower again, and a screen that stayed open would drop everything. Then `xmax`; among equals the later
# snapshot has fewer transactions in progress, for none can have begun in between.
_SNAPSHOT = """
    SELECT (SELECT system_identifier >> 32 FROM pg_control_system()),
           (SELECT timeline_id FROM pg_control_checkpoint()),
           pg_current_snapshot()::text
"""


@dataclass(frozen=True)
class Stamp:
    """
    Which state a fragment shows: `order` is compared number by number, greater is newer.

    `seen_below`: every transaction with a smaller number had ended before this snapshot.
    """

    order: tuple[int, ...]
    seen_below: int

    def __str__(self) -> str:
        """Return the stamp as it stands in `data-stamp`: "1795000000,1,7301,-2"."""
        return ",".join(map(str, self.order))

    def has_seen(self, transaction_id: int) -> bool:
        """
        Say whether what this transaction committed is surely in the snapshot.

        `transaction_id` is a row's `xmin` (32 bits, wrapping). "No" may be wrong, "yes" never is.
        """
        return 0 < (self.seen_below - transaction_id) % 2**32 < 2**31


@dataclass(frozen=True)
class Fragment:
    """What one audience is shown in one language, with its stamp."""

    audience: str
    html: str
    stamp: Stamp

    def frame(self) -> str:
        """Return the one text frame that every socket of this audience is sent."""
        fields = {"t": "fragment", "a": self.audience, "s": self.stamp.order, "html": self.html}
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def fragment(room_id: int, audience: str, language: str, *, from_kept: bool = False) -> Fragment:
    """
    Render what an audience ("table.4.dealer") is shown now, in one read-only snapshot; `from_kept`: see `one_snapshot`.

    Must not run inside a transaction that has already read; inside one (only tests do so) the stamp is
    taken first, so it never claims more than the fragment shows.

    :raises NotFound: no audience is called so: table 0 has none.
    """
    with one_snapshot(room_id, from_kept=from_kept, audiences=[audience]) as fragment_of:
        return fragment_of(audience, language)


@contextmanager
def one_snapshot(
    room_id: int, *, from_kept: bool = False, audiences: Iterable[str] = ()
) -> Iterator[Callable[[str, str], Fragment]]:
    """
    Give what renders an audience in a language, as `fragment` does, all from the same snapshot.

    What several of them read is read once. `from_kept`, for pushes and the answers to taps: only what changed since the
    last one is made anew (`casino.reading`); what of it has is asked fewer times where all `audiences` are named here.
    What several of these of one kind show is read together (`Audience.read_ahead`); that fails before any is rendered.
    """
    may_keep = from_kept and not connection.in_atomic_block
    audiences = tuple(dict.fromkeys(audiences))
    with (
        seldom.one_push((room_id, audience) for audience in audiences if may_keep) as push,
        _snapshot(push) as stamp,
        reading_once(),
        keeping(stamp.order[:2]) if may_keep else nullcontext(),
    ):
        _read_ahead(room_id, audiences)

        def fragment_of(audience: str, language: str) -> Fragment:
            named = find(audience)
            if named is None:
                raise NotFound(what="screen")
            with translation.override(language), seldom.screen((room_id, audience)):
                return Fragment(audience, named.audience.render(room_id=room_id, **named.params), stamp)

        yield fragment_of


def _read_ahead(room_id: int, audiences: Iterable[str]) -> None:
    by_kind: dict[str, list[NamedAudience]] = {}
    for named in filter(None, map(find, audiences)):
        by_kind.setdefault(named.audience.name, []).append(named)
    for several in by_kind.values():
        read_ahead = several[0].audience.read_ahead
        # One alone reads for itself, and fails for itself.
        if read_ahead is not None and len(several) > 1:
            read_ahead(room_id=room_id, shown=[named.params for named in several])


@contextmanager
def _snapshot(push: seldom.Push) -> Iterator[Stamp]:
    # Asked for with the snapshot: the database looks while the tap that all this is about is still being answered. The
    # first question with it, so that the push of one screen is one statement.
    (columns, values), *others = push.questions() or [("", [])]
    with ExitStack() as stack:
        try:
            first, *rows = stack.enter_context(
                snapshot((_SNAPSHOT + columns, values), *(seldom.alone(*each) for each in others))
            )
        except Exception:
            push.forget()
            raise
        born, timeline, seen, *answers = first
        push.hear([*answers, *(answer for _, *more in rows for answer in more)])
        xmin, xmax, in_progress = seen.split(":")
        count = len(in_progress.split(",")) if in_progress else 0
        yield Stamp(order=(born, timeline, int(xmax), -count), seen_below=int(xmin))
