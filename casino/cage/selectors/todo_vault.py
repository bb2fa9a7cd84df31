"""What the vault leaves to the floor: that it gives nothing until it was counted, and counts that differ."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _

from casino import clock
from casino.cage.models import VaultCount
from casino.cage.selectors.vault_counts import counted_first_since
from casino.live.todo import ToDoLine
from casino.money import format_cents, format_difference
from casino.reading import read_once
from casino.rooms.models import Room
from casino.rooms.selectors import room_of
from casino.rows import read_seldom


def vault_lines(*, room_id: int) -> Iterator[ToDoLine]:
    """
    Yield a line where the vault gives nothing until it was counted, and one for each count that differs and that nobody
    has judged. Two queries; three, and the room's, where there is something.
    """
    since = counted_first_since(room_id, at=clock.now())
    if since is not None:
        yield ToDoLine(
            key="vault.counted_first",
            table_number=None,
            urgency=1,
            tone="soon",
            where=_("Vault"),
            text=_("The vault gives nothing until it has been counted"),
            reason=_("It was too short too often tonight. A cashier counts it, and somebody else signs."),
            at=since,
            how="page",
            address=reverse("cage_vault_counts"),
            label=_("Look"),
        )
    for count in _to_judge(room_id):
        room = room_of(room_id)
        yield ToDoLine(
            key=f"vault.{count.pk}",
            table_number=None,
            urgency=2,
            tone="wrong",
            where=_("Vault"),
            text=_("The count differs: %(differences)s") % {"differences": _differences(room, count)},
            reason=_("Ask who counted, and go through what went in and out since the count before."),
            at=count.counted_at,
            how="page",
            address=reverse("cage_vault_count", args=[count.pk]),
            label=_("Look"),
        )


@read_once
def _to_judge(room_id: int) -> list[VaultCount]:
    rows = read_seldom((VaultCount,), "FROM cage_vaultcount WHERE room_id = %s AND unjudged ORDER BY number", room_id)
    return [count for (count,) in rows]


def _differences(room: Room, count: VaultCount) -> str:
    names = (_("Cash"), _("Card slips"), _("Foreign notes"), _("Chips"))
    parts = [
        f"{name} {format_difference(cents, currency=room.currency, locale=room.locale)}"
        for name, cents in zip(names, count.differences_cents, strict=True)
        if cents
    ]
    if not parts:
        # Notes of one currency lie there for those of another, and are worth as much.
        parts = [f"{names[2]} ±{format_cents(0, currency=room.currency, locale=room.locale)}"]
    return ", ".join(parts)
