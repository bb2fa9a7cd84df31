"""What the cage leaves to the floor: who waits too long, sums that cannot be so, drawers whose count differs."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from casino.cage import deliveries
from casino.cage.models import Doubt, Drawer, DrawerCount, RequestMoney, Slip
from casino.cage.selectors.days import days_that_wait
from casino.cage.selectors.money import shown_from, why_it_waits
from casino.live.todo import ToDoLine
from casino.money import format_cents, format_difference
from casino.patience import COUNTS_TAKE
from casino.people.models import Player, Staff
from casino.reading import read_once
from casino.rooms.models import Room
from casino.rooms.selectors import room_of
from casino.rows import read_seldom, relate
from casino.text import isolated

_DOUBTS = """FROM cage_doubt JOIN cage_drawer ON cage_drawer.id = cage_doubt.drawer_id
    LEFT JOIN cage_slip ON cage_slip.id = cage_doubt.slip_id
    LEFT JOIN cage_drawercount ON cage_drawercount.id = cage_doubt.count_id
    WHERE cage_doubt.room_id = %s AND cage_doubt.judged_at IS NULL ORDER BY cage_doubt.raised_at, cage_doubt.id"""


_WAITING = """FROM cage_slip LEFT JOIN people_player ON people_player.id = cage_slip.player_id
    LEFT JOIN cage_requestmoney ON cage_requestmoney.slip_id = cage_slip.id
    LEFT JOIN people_staff ON people_staff.id = cage_requestmoney.staff_id
    WHERE cage_slip.room_id = %s AND cage_slip.status = 'requested' AND cage_slip.kind <> 'prize'
    ORDER BY cage_slip.requested_at, cage_slip.id"""


def waiting_lines(*, room_id: int) -> Iterator[ToDoLine]:
    """
    Yield a line for each slip that waits, but for those that the app of their place tells of itself, and for prizes,
    which wait for whoever won them. One query.
    """
    room = room_of(room_id)
    for slip, player in _waiting(room_id):
        place = deliveries.of(slip)
        if not place.tells_floor:
            yield _slip(room, slip, player, place.label(slip))


@read_once
def _waiting(room_id: int) -> list[tuple[Slip, Player | None]]:
    found = []
    for slip, player, money, staff in read_seldom((Slip, Player, RequestMoney, Staff), _WAITING, room_id):
        relate(slip, money=money)
        if money is not None:
            relate(money, staff=staff)
        found.append((slip, player))
    return found


def _slip(room: Room, slip: Slip, player: Player | None, where: str) -> ToDoLine:
    money = format_cents(slip.amount_cents, currency=room.currency, locale=room.locale)
    is_buy_in = slip.kind == Slip.Kind.BUY_IN
    text = _("%(player)s waits for %(money)s") if is_buy_in else _("%(money)s of %(player)s wait to be taken in")
    reason = why_it_waits(slip)
    if not is_buy_in:
        reason = _("The cage has not taken the chips yet. Go and see.")
    elif deliveries.of(slip).was_paid:
        text = _("%(money)s that %(player)s paid on paper wait to be confirmed")
        reason = _("The cage has not said yet that it took that money. Go and see.")
    return ToDoLine(
        key=f"request.{slip.pk}",
        table_number=None,
        urgency=1,
        tone="soon",
        where=where,
        text=text % {"player": isolated(str(player or "")), "money": money},
        reason=reason,
        at=slip.requested_at,
        how="page",
        address=reverse("player", args=[slip.player_id]),
        label=_("Look"),
        shown_from=shown_from(slip),
    )


def counts_lines(*, room_id: int) -> Iterator[ToDoLine]:
    """Yield a line for each gaming day whose counts still wait on the next evening. One query."""
    for day in days_that_wait(room_id):
        assert day.closed_at is not None
        yield ToDoLine(
            key=f"counts.{day.pk}",
            table_number=None,
            urgency=6,
            tone="later",
            where=_("Gaming day"),
            text=_("The counts of %(date)s wait") % {"date": date_format(day.date, "j.n.Y")},
            reason=_("Its boxes are counted, and two of those who read the books close it as counted."),
            at=day.closed_at,
            how="page",
            address=reverse("cage_one_day", args=[day.pk]),
            label=_("Look"),
            shown_from=day.closed_at + COUNTS_TAKE,
        )


def doubt_lines(*, room_id: int) -> Iterator[ToDoLine]:
    """Yield a line for each doubt that nobody has judged yet. One query, and the room's."""
    for doubt in _unjudged(room_id):
        yield _doubt(room_of(room_id), doubt)


@read_once
def _unjudged(room_id: int) -> list[Doubt]:
    found = []
    for doubt, drawer, slip, count in read_seldom((Doubt, Drawer, Slip, DrawerCount), _DOUBTS, room_id):
        doubt.drawer, doubt.slip, doubt.count = drawer, slip, count
        found.append(doubt)
    return found


def _doubt(room: Room, doubt: Doubt) -> ToDoLine:
    money = format_cents(doubt.cents, currency=room.currency, locale=room.locale)
    if doubt.slip is not None:
        text = _("Slip %(number)s: %(money)s more came back than was sold") % {
            "number": doubt.slip.number,
            "money": money,
        }
        reason = _("All chips in players’ hands and in play are fewer. Look at those that came, and ask who sold them.")
    elif doubt.kind == Doubt.Kind.COUNT_DIFFERS and doubt.count is not None:
        text = _("The count differs: %(differences)s") % {"differences": _differences(room, doubt.count, doubt.cents)}
        reason = _("Ask who paid there and who counted, and go through the slips of the day.")
    else:
        text = _("%(money)s more in chips went out than ever lay there") % {"money": money}
        reason = _("A slip is missing or wrong, or chips were brought without one.")
    return ToDoLine(
        key=f"doubt.{doubt.pk}",
        table_number=None,
        urgency=2,
        tone="wrong",
        where=isolated(doubt.drawer.name),
        text=text,
        reason=reason,
        at=doubt.raised_at,
        how="post",
        address=reverse("cage_doubt", args=[doubt.pk]),
        label=_("Seen, it stays as it is"),
    )


def _differences(room: Room, count: DrawerCount, all_cents: int) -> str:
    """Return what differs part by part; `all_cents` is all of it, in which notes count by their currency."""
    names = (_("Cash"), _("Card slips"), _("Foreign notes"), _("Chips"))
    parts = [
        f"{name} {format_difference(cents, currency=room.currency, locale=room.locale)}"
        for name, cents in zip(names, count.differences_cents, strict=True)
        if cents
    ]
    if (swapped := all_cents - sum(map(abs, count.differences_cents))) > 0:
        amount = format_cents(swapped // 2, currency=room.currency, locale=room.locale)
        parts.append(_("notes of one currency for another %(amount)s") % {"amount": amount})
    return ", ".join(parts)
