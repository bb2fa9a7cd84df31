"""Who has the money of chips that were asked for, until the cage has taken it."""

from django.db import models
from django.db.models import Q

from casino.people.models import Staff


class RequestMoney(models.Model):
    """
    Where the cash of a buy-in request is, from the moment that it first leaves its player: with whom, since when.

    Without a row it is with the player. `staff` answers for it: the table's dealer, a runner, a cashier; nobody once it
    was given back. `is_held`: somebody of the house has it, and it has paid nothing yet. Nobody decides anything about
    the slip by it, so it leaves the slip's version alone; each change of hands stands in the log.
    """

    class With(models.TextChoices):
        PLAYER = "player"
        DEALER = "dealer"
        RUNNER = "runner"
        CAGE = "cage"

    slip = models.OneToOneField("cage.Slip", on_delete=models.PROTECT, related_name="money")
    money_with = models.CharField(max_length=10, choices=With)
    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True, related_name="+")
    since = models.DateTimeField()
    is_held = models.BooleanField()

    may_change = ("money_with", "staff", "since", "is_held")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(money_with="player", staff__isnull=True, is_held=False)
                | ~Q(money_with="player") & Q(staff__isnull=False),
                name="request_money_somebody_answers_for_it",
            )
        ]
        # What is to go back to a player is asked for by the floor's to-do, and few among years of what was paid.
        indexes = [models.Index(fields=["since"], condition=Q(is_held=True), name="request_money_held")]

    def __str__(self) -> str:
        return f"slip {self.slip_id}: {self.money_with}"
