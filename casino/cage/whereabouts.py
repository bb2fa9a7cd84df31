"""What the cage does when two records of one person are joined, and what it knows of a player."""

from collections.abc import Container, Sequence

from django.db.models import Q
from django.utils.translation import gettext as _

from casino.cage.audiences import EVERY_WINDOW
from casino.cage.errors import DepositHeld, PropertyHeld, SlipStillWaits
from casino.cage.labels import METHODS
from casino.cage.models import DrawerSession, PaidChips, Slip, Unclaimed
from casino.cage.models_fills import FillSlip
from casino.cage.models_money import RequestMoney
from casino.cage.selectors.identity import crossed
from casino.cage.selectors.unclaimed import unclaimed_by_name
from casino.commands.carrying_out import Command
from casino.ledger.selectors.accounts import deposit_cents
from casino.money import format_cents
from casino.people.elsewhere import Elsewhere
from casino.people.errors import StillAnswersFor
from casino.people.models import Player
from casino.rooms.models import Room
from casino.rooms.selectors import open_day


class AtTheCage(Elsewhere):
    """Slips and deposits of a player."""

    def merged(
        self, command: Command, *, kept: Player, gone: Player, day_id: int, approved_by_id: int
    ) -> Sequence[str]:
        """Have what waits for money wait for the kept record. Paid slips stay what they are; sums follow."""
        waiting = Slip.objects.select_for_update(no_key=True).filter(player=gone, status=Slip.Status.REQUESTED)
        # By id, as whoever locks several.
        for slip in waiting.order_by("id"):
            slip.player = kept
            slip.version += 1
            slip.save(update_fields=["player", "version"])
        return (EVERY_WINDOW,)

    def erasing(self, player_ids: Sequence[int]) -> None:
        """
        Let a player be erased who is owed nothing here and has asked for nothing.

        :raises SlipStillWaits, PropertyHeld, DepositHeld: something waits for them.
        """
        waits, is_owed_back = Q(status=Slip.Status.REQUESTED), Q(money__is_held=True)
        if Slip.objects.filter(waits | is_owed_back, player_id__in=player_ids).exists():
            raise SlipStillWaits
        if Unclaimed.objects.filter(player_id__in=player_ids, ended_as="").exists():
            raise PropertyHeld
        if held := sum(map(deposit_cents, player_ids)):
            raise DepositHeld(amount_cents=held)

    def erasing_staff(self, staff_id: int) -> None:
        """
        Let somebody be erased who has no drawer or bank open and carries nothing.

        :raises StillAnswersFor: they have.
        """
        if (
            DrawerSession.objects.filter(DrawerSession.answered_for_by([staff_id]), closed_at=None).exists()
            or FillSlip.objects.filter(runner=staff_id, status=FillSlip.Status.DELIVERED).exists()
            or RequestMoney.objects.filter(staff=staff_id, is_held=True).exists()
            or PaidChips.objects.filter(staff=staff_id, delivered_at=None, slip__status=Slip.Status.PAID).exists()
        ):
            raise StillAnswersFor

    def known_today(self, room: Room, player: Player, *, may: Container[str]) -> Sequence[str]:
        """Return, to the cage alone, what a player brought and was paid today, and what lies here. Four queries."""
        if "read.cage" not in may:
            return ()

        def money(cents: int) -> str:
            return format_cents(cents, currency=room.currency, locale=room.locale)

        lines, today = [], crossed(player.pk, open_day(room.pk))
        if today.brought_cents or today.paid_cents:
            brought, paid = money(today.brought_cents), money(today.paid_cents)
            lines.append(_("%(brought)s brought today, %(paid)s paid") % {"brought": brought, "paid": paid})
        if deposit := deposit_cents(player.pk):
            lines.append(_("%(money)s on deposit") % {"money": money(deposit)})
        for each in unclaimed_by_name(player.pk):
            about = {"money": money(each.amount_cents), "what": METHODS[each.what], "number": each.number}
            lines.append(_("left behind, no. %(number)s: %(money)s (%(what)s)") % about)
        return lines
