"""What cannot be so and is a fact all the same: noted beside it, and judged by the floor."""

from collections.abc import Sequence

from casino.cage.errors import OwnDoubt
from casino.cage.models import Doubt, Drawer, DrawerCount, Slip
from casino.cage.selectors.blind import own_doubts
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound
from casino.ledger.selectors.accounts import chips_out

# Who is told that there is something to judge.
DOUBT_NEWS = ("cage.doubts",)


def doubt_cash_out(command: Command, slip: Slip, drawer: Drawer) -> bool:
    """
    Note, of a cash-out that is posted, by how much more came back than the house had sold; return whether any did. One
    query.

    Two drawers that pay at one moment do not see each other; the next cash-out finds what both left.
    """
    left = chips_out(command.room_id)
    if left >= 0:
        return False
    _raise(command, drawer, Doubt.Kind.MORE_THAN_SOLD, cents=min(-left, slip.amount_cents), slip=slip)
    return True


def nothing_to_doubt(command: Command, slip: Slip) -> Sequence[str]:
    """Take what a voided slip left off the to-do; return whom to tell. One statement for a cash-out."""
    if slip.kind != Slip.Kind.CASH_OUT:
        return ()
    doubts = Doubt.objects.filter(slip=slip, judged_at=None)
    return DOUBT_NEWS if doubts.update(judged_at=command.at, judged_by_id=command.staff_id) else ()


def doubt_count(command: Command, count: DrawerCount, drawer: Drawer) -> bool:
    """
    Note, of a drawer's count, what differs, and by how much more chips it gave than ever lay in it; return whether
    there was anything to note.
    """
    beyond = {
        Doubt.Kind.BELOW_NOTHING: -min(count.expected_chips_cents, 0),
        Doubt.Kind.COUNT_DIFFERS: _differs_by(count),
    }
    for kind, cents in beyond.items():
        if cents:
            _raise(command, drawer, kind, cents=cents, count=count)
    return any(beyond.values())


def _differs_by(count: DrawerCount) -> int:
    """Return what a count differs by, whichever way, notes by their currency. One query where there are any."""
    *_money, chips = count.differences_cents
    return sum(map(abs, (*count.money_differs_by(), chips)))


def doubt_recount(command: Command, count: DrawerCount, drawer: Drawer) -> None:
    """
    Have the floor look at what differs by the newest count of a drawer, and no longer at what earlier ones said.

    That the drawer gave more chips than ever lay in it is no count's to take away.
    """
    earlier = Doubt.objects.filter(count__session=count.session_id, kind=Doubt.Kind.COUNT_DIFFERS, judged_at=None)
    earlier.update(judged_at=command.at, judged_by_id=command.staff_id)
    if cents := _differs_by(count):
        _raise(command, drawer, Doubt.Kind.COUNT_DIFFERS, cents=cents, count=count)


def _raise(
    command: Command,
    drawer: Drawer,
    kind: Doubt.Kind,
    *,
    cents: int,
    slip: Slip | None = None,
    count: DrawerCount | None = None,
) -> None:
    Doubt.objects.create(
        room_id=command.room_id, kind=kind, drawer=drawer, slip=slip, count=count, cents=cents, raised_at=command.at
    )


@service("cage.judge_doubt")
def judge_doubt(command: Command, *, doubt_id: int) -> Outcome:
    """
    Take something of the cage off the floor's to-do, having looked at it.

    :raises NotFound: it is not there, or was judged by somebody else.
    :raises OwnDoubt: by who paid that slip, or moved something in the drawer that differs: it may be theirs.
    """
    doubt = Doubt.objects.filter(id=doubt_id, room_id=command.room_id).first()
    if doubt is None:
        raise NotFound(what="doubt")
    if own_doubts(command.room_id, command.staff_id).filter(id=doubt_id).exists():
        raise OwnDoubt
    # For the log: this event goes into the drawer's chain, whose head belongs to who holds the drawer (`append`).
    drawer = Drawer.objects.select_for_update(no_key=True).get(id=doubt.drawer_id)
    waiting = Doubt.objects.filter(id=doubt_id, judged_at=None)
    # Asked again in the statement: of two who judge it at once the second finds it judged.
    if not waiting.update(judged_at=command.ends(doubt.raised_at), judged_by_id=command.staff_id):
        raise NotFound(what="doubt")
    return Outcome(chain=f"drawer.{drawer.number}", data={"doubt": doubt_id}, audiences=DOUBT_NEWS)
