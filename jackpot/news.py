"""How claims and jackpots stand, for screens whose forms are their viewer's own: they are loaded anew."""

from django.db.models import Count, Max, Q
from django.template.loader import render_to_string

from jackpot.models import Claim, ClaimCheck, ClaimShare, Movement, Pool
from jackpot.selectors.judging import standing_hand
from jackpot.selectors.pools import figures

# As many as the page of claims lists.
CLAIMS_SHOWN = 60


def render_claims(*, room_id: int) -> str:
    """Return how each claim stands. A few queries, and one more for each that is open."""
    claims = list(Claim.objects.filter(room_id=room_id).select_related("hand").order_by("-id")[:CLAIMS_SHOWN])
    ids = [claim.pk for claim in claims]
    by_claim = ClaimCheck.objects.filter(claim__in=ids).values("claim").order_by("claim")
    checks = {each["claim"]: each["done"] for each in by_claim.annotate(done=Count("id"))}
    counted = ClaimShare.objects.filter(claim__in=ids).values("claim").order_by("claim")
    counted = counted.annotate(paid=Count("paid_at"), held=Count("id", filter=Q(is_disputed=True)))
    shares = {each["claim"]: (each["paid"], each["held"]) for each in counted}
    # What joins a sum is paid of no claim that was hit before.
    changed = Movement.objects.filter(room_id=room_id).exclude(kind=Movement.Kind.TAKINGS)
    newest = changed.values("pool__code").order_by("pool__code").annotate(last=Max("number"))
    sums = {each["pool__code"]: each["last"] for each in newest}
    stands = []
    for claim in claims:
        parts = [claim.version, checks.get(claim.pk, 0), *shares.get(claim.pk, ())]
        if claim.is_open:
            row = standing_hand(claim)
            parts += [row.pk, row.status, sums.get(claim.code, 0)]
        stands.append((claim.pk, _key(parts)))
    return render_to_string("includes/stands.html", {"stands": stands})


def render_jackpots(*, room_id: int) -> str:
    """Return how each pool stands. A query, and one more for each."""
    stands = []
    for pool in Pool.objects.filter(room_id=room_id).order_by("id"):
        held = figures(pool.pk)
        stands.append((pool.code, _key([pool.version, pool.state, held["pending"], held["seed"]])))
    return render_to_string("includes/stands.html", {"stands": stands})


def _key(parts: list[object]) -> str:
    return ".".join(map(str, parts))
