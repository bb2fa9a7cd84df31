"""What the tables do when something stands about a player, or two records of one person are joined."""

from collections.abc import Container, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import Max
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from casino import clock
from casino.audit import held
from casino.commands.carrying_out import Command
from casino.money import format_cents
from casino.people.elsewhere import Elsewhere
from casino.people.errors import StillAnswersFor
from casino.people.models import Player
from casino.people.standing import Standing
from casino.rooms.models import Room
from casino.rooms.selectors import open_day
from tables.audiences import ROOM
from tables.errors_people import BothRecordsSit, PlayerStillSits, RecordStillSits
from tables.held import SITTING
from tables.models import ClosedTips, Down, IncidentPlayer, Seating, ToDo
from tables.rules.hours import played
from tables.services.bans import deal_in_again
from tables.services.penalties import hold_out
from tables.services.protection import hours_until, lock_tables_of, screens_of, sittings_of
from tables.services.state import leave_to_the_floor, save_seating


class AtTheTables(Elsewhere):
    """Seats of a player."""

    def excluded(self, command: Command, player: Player) -> Sequence[str]:
        """
        Have the floor end what the player plays.

        The hand in progress is finished; the next one deals nobody in who may not play. The seat is not taken by
        itself: the floor counts the stack and lets the player leave, and the cage pays.
        """
        seatings = lock_tables_of([player.pk])
        for seating in seatings:
            if seating.barred_since is None:
                seating.barred_since = command.ends(seating.sat_down_at)
                save_seating(seating)
        return screens_of(seatings)

    def included(self, command: Command, player: Player) -> Sequence[str]:
        """Deal the player in again who still sits there."""
        return screens_of(deal_in_again(player.pk))

    def kept_apart(self, command: Command, pairs: Sequence[tuple[int, int]]) -> Sequence[str]:
        """Put it on the floor's to-do where the two of a pair sit together now (H1.75); nobody is moved by itself."""
        # All of them at once: pair by pair the tables would be locked in another order than by their ids.
        seatings = lock_tables_of({player_id for pair in pairs for player_id in pair})
        together = [
            [first, second]
            for one, other in pairs
            for first in seatings
            for second in seatings
            if (first.table_id, first.player_id, second.player_id) == (second.table_id, one, other)
        ]
        for pair in together:
            seats = sorted(seating.seat_number for seating in pair)
            leave_to_the_floor(pair[0].table, ToDo.Kind.KEPT_APART, at=command.at, data={"seats": seats})
        return screens_of([seating for pair in together for seating in pair])

    def limits_changed(self, command: Command, player: Player, standing: Standing) -> Sequence[str]:
        """Have the moment at which the hours of a player who sits are used up follow their limit."""
        seatings, day = lock_tables_of([player.pk]), open_day(command.room_id)
        if not seatings or day is None:
            return ()
        until = hours_until(player.pk, standing, day_id=day.pk, at=command.at)
        for seating in seatings:
            if seating.plays_until != until:
                seating.plays_until = until
                save_seating(seating)
        return screens_of(seatings)

    def merging(self, *, kept: Player, gone: Player, apart: Sequence[int]) -> None:
        """
        Refuse to join records of which both sit, or the one that is given up sits.

        Blinds and hands know a seat by its record: it is the seated one that is to be kept.

        :raises BothRecordsSit, RecordStillSits: what has to end first.
        """
        # With the tables that `kept_apart` will look at: they are locked once, by their ids.
        sits = {seating.player_id: seating for seating in lock_tables_of([kept.pk, gone.pk, *apart])}
        if gone.pk in sits:
            where = sits[gone.pk]
            if kept.pk in sits:
                raise BothRecordsSit
            raise RecordStillSits(table_number=where.table.number, seat_number=where.seat_number)

    def merged(
        self, command: Command, *, kept: Player, gone: Player, day_id: int, approved_by_id: int
    ) -> Sequence[str]:
        """Have the kept record own what was left uncounted, and sit out what the other one had to."""
        audiences = self._penalty_moves(kept, gone, at=command.at)
        uncounted = Seating.objects.filter(player=gone, left_at__isnull=False, left_stack_cents=None)
        theirs = list(uncounted.filter(opening__day_id=day_id).values_list("id", flat=True))
        Seating.objects.filter(id__in=theirs).update(player=kept, sat_as_id=Coalesce("sat_as_id", "player_id"))
        for seating_id in theirs:
            held.note(SITTING.kind, seating_id)
        return (*ROOM, *audiences)

    def _penalty_moves(self, kept: Player, gone: Player, *, at: datetime) -> Sequence[str]:
        """Have a penalty that runs be the kept record's, hold that one's seat, and return the screens of its table."""
        runs = {"incident__ends_at__isnull": False, "incident__ended_at": None}
        theirs = IncidentPlayer.objects.filter(player=kept, **runs).values("incident_id")
        moves = IncidentPlayer.objects.filter(player=gone, **runs).exclude(incident_id__in=theirs)
        until = moves.aggregate(until=Max("incident__ends_at"))["until"]
        if until is None:
            return ()
        moves.update(player=kept)
        seatings = list(Seating.objects.filter(player=kept, left_at=None).select_related("table"))
        hold_out(seatings, until=until, at=at)
        return screens_of(seatings)

    def erasing(self, player_ids: Sequence[int]) -> None:
        """:raises PlayerStillSits: who asks to be forgotten plays."""
        sits = Seating.objects.filter(player_id__in=player_ids, left_at=None).select_related("table").first()
        if sits is not None:
            raise PlayerStillSits(table_number=sits.table.number, seat_number=sits.seat_number)

    def erasing_staff(self, staff_id: int) -> None:
        """
        Let somebody be erased who deals nowhere and whose tips nobody waits to count.

        :raises StillAnswersFor: they do, or somebody does.
        """
        deals = Down.objects.filter(dealer_id=staff_id, ended_at=None)
        if deals.exists() or ClosedTips.objects.filter(down__dealer_id=staff_id, waits=True).exists():
            raise StillAnswersFor

    def known_today(self, room: Room, player: Player, *, may: Container[str]) -> Sequence[str]:
        """Return where the player sits or left last, and how long they have played. Four queries at most."""
        lines = [
            _("sits at table %(table)s, seat %(seat)s, since %(time)s")
            % {
                "table": seating.table.number,
                "seat": seating.seat_number,
                "time": f"{seating.sat_down_at.astimezone(ZoneInfo(room.time_zone)):%H:%M}",
            }
            for seating in Seating.objects.filter(player=player, left_at=None).select_related("table").order_by("id")
        ]
        day = open_day(room.pk)
        if day and not lines:
            lines += _left(room, player, day_id=day.pk)
        sittings = sittings_of(player.pk, day_id=day.pk) if day else []
        if sittings:
            minutes = int(played(sittings, at=clock.now()).total_seconds() // 60)
            lines.append(
                _("%(hours)s h %(minutes)s min played today") % {"hours": minutes // 60, "minutes": minutes % 60}
            )
        return lines


def _left(room: Room, player: Player, *, day_id: int) -> list[str]:
    """Return from where the player went last today, and with how much. One query."""
    seatings = Seating.objects.filter(player=player, opening__day_id=day_id, left_at__isnull=False)
    last = seatings.select_related("table").order_by("-left_at", "-id").first()
    if last is None:
        return []
    if last.left_stack_cents is None:
        return [_("left table %(table)s uncounted") % {"table": last.table.number}]
    money = format_cents(last.left_stack_cents, currency=room.currency, locale=room.locale)
    return [_("left table %(table)s with %(money)s") % {"table": last.table.number, "money": money}]
