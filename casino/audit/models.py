"""The append-only log of every command: chains of hashes, and seals that tie the chains together."""

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models

_append_only = [
    pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
    # pgtrigger's Protect knows no TRUNCATE, which passes by triggers on rows.
    pgtrigger.Trigger(
        name="no_truncate",
        level=pgtrigger.Statement,
        when=pgtrigger.Before,
        operation=pgtrigger.Truncate,
        func="RAISE EXCEPTION 'the log is append-only';",
    ),
]


class Chain(models.Model):
    """The head of one chain. It belongs to a row that services lock anyway: a table, a drawer, a tablet."""

    room_id = models.BigIntegerField()
    name = models.CharField(max_length=60)
    number = models.PositiveBigIntegerField()
    hash = models.CharField(max_length=64)

    may_change = ("number", "hash")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["room_id", "name"], name="chain_named_once_per_room")]

    def __str__(self) -> str:
        return f"{self.name} {self.number}"


class Event(models.Model):
    """
    One command as it was carried out, or refused.

    `text` is the canonical JSON that was hashed; the columns repeat from it only what questions need.
    Persons appear as ids, never as names. `hash` = SHA-256 of the previous hash, a newline, and `text`.
    """

    room_id = models.BigIntegerField()
    chain = models.CharField(max_length=60)
    number = models.PositiveBigIntegerField()
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    text = models.TextField()
    name = models.CharField(max_length=60)
    result = models.CharField(max_length=60)
    command_id = models.UUIDField(unique=True)
    staff_id = models.BigIntegerField(null=True)
    device_id = models.BigIntegerField(null=True)
    at = models.DateTimeField()
    # Whose screens this touched: the log is also the outbox of news, should a notice be lost.
    audiences = ArrayField(models.CharField(max_length=60), default=list)

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room_id", "chain", "number"], name="event_numbered_once_per_chain"),
        ]
        indexes = [
            models.Index(fields=["room_id", "at"], name="event_by_time"),
            # The log's page asks for one command's events, or for what was refused: few among years of the rest.
            models.Index(fields=["room_id", "name"], name="event_by_name"),
            models.Index(fields=["room_id", "id"], condition=~models.Q(result="done"), name="event_refused"),
        ]
        triggers = _append_only

    def __str__(self) -> str:
        return f"{self.chain} {self.number} {self.name}"


class Seal(models.Model):
    """A keyed hash over all chain heads of a room, once a minute. It also leaves the database, in the process's log."""

    room_id = models.BigIntegerField()
    at = models.DateTimeField()
    heads = models.TextField()
    mac = models.CharField(max_length=64)

    may_change = ()

    class Meta:
        triggers = _append_only

    def __str__(self) -> str:
        return f"{self.at:%F %T}"
