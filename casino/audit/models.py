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

# What a command's event says that was carried out; of one that was refused it says the refusal's code.
DONE = "done"


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
    # Unique for ever: answers are forgotten after two gaming days, and then this alone keeps a tap from counting twice.
    command_id = models.UUIDField(unique=True)
    # Plain ids: people and devices are apps above the log, which knows no model of theirs.
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
            # Where a day begins in the log of years: for its page, and for a proof of the last days alone.
            models.Index(fields=["room_id", "at"], name="event_by_time"),
            # The log's page asks for one command's events, or for what was refused: few among years of the rest.
            models.Index(fields=["room_id", "name"], name="event_by_name"),
            models.Index(fields=["room_id", "id"], condition=~models.Q(result="done"), name="event_refused"),
        ]
        triggers = _append_only

    def __str__(self) -> str:
        return f"{self.chain} {self.number} {self.name}"


class SealKey(models.Model):
    """
    A public key by which seals are verified (Ed25519, hex), added by the sealer with the first seal that it signs.

    `signature` is the key's of the version before, over this one; "" where there was none to sign: the first key of a
    house, or of one that was restored without the sealer's.
    """

    version = models.PositiveIntegerField(unique=True)
    public = models.CharField(max_length=64)
    signature = models.CharField(max_length=128, blank=True)
    at = models.DateTimeField()

    may_change = ()
    only_the_sealer_adds = True

    class Meta:
        triggers = _append_only

    def __str__(self) -> str:
        return f"key {self.version}"


class Seal(models.Model):
    """
    What the sealer signed, once a minute, over all chain heads of a room; it also leaves the database.

    `heads` are those that have moved since the seal before: of each chain its number and hash. `previous` is the code
    of the seal before, so that none can be taken out or put in. What older versions sealed has a keyed hash (`mac`)
    instead of number, key and signature, and all heads.
    """

    room_id = models.BigIntegerField()
    number = models.PositiveBigIntegerField(null=True)
    at = models.DateTimeField()
    heads = models.TextField()
    previous = models.CharField(max_length=64, blank=True, default="")
    key_version = models.PositiveIntegerField(null=True)
    signature = models.CharField(max_length=128, blank=True, default="")
    mac = models.CharField(max_length=64, blank=True, default="")

    may_change = ()
    only_the_sealer_adds = True

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room_id", "number"], name="seal_numbered_once_per_room"),
            models.CheckConstraint(
                condition=models.Q(number__isnull=True, key_version__isnull=True) & ~models.Q(mac="")
                | models.Q(number__isnull=False, key_version__isnull=False, mac="") & ~models.Q(signature=""),
                name="seal_is_signed",
            ),
        ]
        triggers = _append_only

    def __str__(self) -> str:
        return f"{self.at:%F %T}"
