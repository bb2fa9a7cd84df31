"""
Two records of one person become one.

Nothing that was written is written anew: postings, events, hands and slips keep the record under which they were made,
and that record points to the one that was kept (`Player.merged_into`), so sums follow (`standing.ids_of`). What goes on
moves: what the player waits for, what was left uncounted, what is asked from the cage, exclusions and pairs. Money on
deposit moves by a transfer. It is not taken back: two managers sign it.
"""

from collections.abc import Iterable

from django.db.models import Q

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Busy
from casino.people.elsewhere import everywhere
from casino.people.errors import SamePlayer
from casino.people.models import Exclusion, Inquiry, KeptApart, OwnLimit, Player
from casino.people.rules.exclusions import strictest
from casino.people.rules.limits import Limit, joined
from casino.people.services.exclusions import about
from casino.people.services.limits import tell_limits, write_wish
from casino.people.services.locks import lock_players
from casino.people.services.passes import end_pass
from casino.people.services.signatures import check_signed
from casino.people.standing import standing_of
from casino.rooms.selectors import lock_open_day

# What the second person under a merge must be allowed to do.
NEEDS_TO_MERGE = "people.approve_merge"


@service("people.merge_players")
def merge_players(command: Command, *, player_id: int, gone_id: int, approved_by_id: int) -> Outcome:
    """
    Join the record `gone_id` to the player's kept one: exclusions, pairs, the stricter limits, lists, totals, deposits.

    `approved_by_id` is a second manager who has signed "merge.<kept>.<gone>" (`second_person`, before this command).

    :raises NoOpenDay: deposits move on the open gaming day.
    :raises NotFound: one of them is not there, or was merged before.
    :raises SamePlayer: a record is not merged into itself.
    :raises NeedsSecondSignature: the second person is not a second one, or has not signed.
    :raises Refusal: what the other apps refuse: both sit, both wait for one game.
    """
    if player_id == gone_id:
        raise SamePlayer
    check_signed(command, approved_by_id, needs=NEEDS_TO_MERGE, signs=f"merge.{player_id}.{gone_id}")
    day = lock_open_day(command.room_id)
    apart = _kept_apart_from(gone_id)
    # All in one go, for players are locked by id: the two first and the others after them would be another order.
    _lock_in_order(command, (player_id, gone_id, *apart))
    players = lock_players(command, (player_id, gone_id))
    kept, gone = players[player_id], players[gone_id]
    if _kept_apart_from(gone_id) != apart:
        # Somebody was kept apart meanwhile, who is not locked: the next try sees it.
        raise Busy
    for app in everywhere():
        app.merging(kept=kept, gone=gone, apart=apart)
    # Both before the records are joined: afterwards what stands about one stands about the other too.
    before = standing_of(kept, day_id=day.pk)
    theirs = standing_of(gone, day_id=day.pk)
    _point(command, kept, gone)
    Exclusion.objects.filter(player=gone).update(player=kept)
    Inquiry.objects.filter(player=gone).update(player=kept)
    pairs = _join_pairs(command, kept, gone)
    audiences = list(end_pass(command, gone))
    for app in everywhere():
        audiences += app.kept_apart(command, pairs)
        audiences += app.merged(command, kept=kept, gone=gone, day_id=day.pk, approved_by_id=approved_by_id)
    for kind in OwnLimit.Kind.values:
        for amount in joined(before.limits.get(kind, Limit()), theirs.limits.get(kind, Limit())):
            write_wish(command, kept, kind=kind, amount=amount)
    audiences += tell_limits(command, kept)
    if strictest(theirs.exclusions, command.at) is not None or strictest(before.exclusions, command.at) is not None:
        audiences += [screen for app in everywhere() for screen in app.excluded(command, kept)]
    return about(kept, audiences, gone=gone.pk, signed_by=approved_by_id)


def _point(command: Command, kept: Player, gone: Player) -> None:
    if gone.is_shown_as_number:
        # A wish of either record is the person's; the number is given once.
        if kept.number is None:
            kept.number, gone.number = gone.number, None
        kept.is_shown_as_number, gone.is_shown_as_number = True, False
    gone.merged_into, gone.merged_at = kept, command.at
    gone.save(update_fields=["merged_into", "merged_at", "number", "is_shown_as_number"])
    # What was merged into it before follows it: a record is never further than one step from the person.
    Player.objects.filter(merged_into=gone).update(merged_into=kept)
    if not kept.full_name and gone.full_name:
        kept.full_name = gone.full_name
    kept.is_watched |= gone.is_watched
    kept.save(update_fields=["full_name", "is_watched", "number", "is_shown_as_number"])


def _kept_apart_from(player_id: int) -> list[int]:
    pairs = KeptApart.objects.filter(Q(one=player_id) | Q(other=player_id), ended_at=None).values_list("one", "other")
    return sorted({each for pair in pairs for each in pair} - {player_id})


def _lock_in_order(command: Command, player_ids: Iterable[int]) -> None:
    """Lock players by their ids; also those who were kept apart, of whom one may be erased meanwhile."""
    rows = Player.objects.select_for_update(no_key=True).filter(room_id=command.room_id, id__in=set(player_ids))
    list(rows.order_by("id").values_list("id"))


def _join_pairs(command: Command, kept: Player, gone: Player) -> list[tuple[int, int]]:
    """Keep apart from the kept record who was kept apart from the other one, and return the pairs; nobody from
    themselves."""
    moved = []
    standing = KeptApart.objects.filter(Q(one=gone) | Q(other=gone), ended_at=None).order_by("id")
    for pair in standing:
        other = pair.other_id if pair.one_id == gone.pk else pair.one_id
        ends = other == kept.pk or _are_apart(kept.pk, other)
        if ends:
            pair.ended_at, pair.ended_by_id = command.at, command.by.staff_id
        else:
            pair.one_id, pair.other_id = sorted((kept.pk, other))
            moved.append((pair.one_id, pair.other_id))
        pair.save(update_fields=["ended_at", "ended_by_id", "one_id", "other_id"])
    return moved


def _are_apart(one: int, other: int) -> bool:
    low, high = sorted((one, other))
    return KeptApart.objects.filter(one_id=low, other_id=high, ended_at=None).exists()
