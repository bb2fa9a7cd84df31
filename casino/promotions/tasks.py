"""What time does to promotions: it draws the tables of splash pots that are due."""

from celery import shared_task

from casino import clock
from casino.people.waking import on_its_own
from casino.promotions.services.splashes import draw_due


@shared_task(ignore_result=True)  # type: ignore[untyped-decorator]  # Celery has no types
def wake() -> None:
    """Do what is due; each row is looked at again before anything is done to it."""
    on_its_own(draw_due, at=clock.now())
