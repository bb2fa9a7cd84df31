"""Which penalties keep players out just now (H1.48)."""

from collections.abc import Iterable
from datetime import datetime

from tables.models import Incident, IncidentPlayer


def penalties_of(player_ids: Iterable[int], *, at: datetime) -> dict[int, Incident]:
    """Return the penalty that keeps each of these players out at a moment, the one that runs longest. One query."""
    runs = IncidentPlayer.objects.filter(player_id__in=[*player_ids], incident__ends_at__gt=at, incident__ended_at=None)
    running = runs.select_related("incident").order_by("incident__ends_at", "incident_id")
    return {each.player_id: each.incident for each in running}
