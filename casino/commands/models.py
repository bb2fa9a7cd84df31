"""What was answered to each command id."""

from django.db import models


class AnsweredCommand(models.Model):
    """
    A command id that has arrived, with what was answered.

    Codes, data and references only: the sentence and the fragment are written anew for whoever asks
    again. Kept two gaming days; after that the audit event's unique command id still stands guard.
    """

    room_id = models.BigIntegerField()
    command_id = models.UUIDField()
    # Keyed hash of name, arguments but secrets, person and device: the same id with anything else is another command.
    # Empty where an upgrade has changed what commands are made of: there the id alone says which command it was.
    body_hash = models.CharField(max_length=64)
    code = models.CharField(max_length=60, default="")
    data = models.JSONField(default=dict)
    version = models.PositiveBigIntegerField(null=True)
    at = models.DateTimeField()

    may_change = ("code", "data", "version")
    may_be_deleted = True

    class Meta:
        # The name that it was given first: statements and houses that run know the table by it.
        db_table = "commands_claim"
        constraints = [models.UniqueConstraint(fields=["room_id", "command_id"], name="claim_once_per_command_id")]
        # Answers are forgotten by their age.
        indexes = [models.Index(fields=["at"], name="claim_by_time")]

    def __str__(self) -> str:
        return str(self.command_id)
