"""
Accounts, transfers, postings. PostgreSQL itself keeps them honest.

What the triggers refuse, nobody can do, whichever program connects: change or delete a posting, leave
a transfer that does not sum to zero in each currency and unit, add to a transfer that was made
before, post on a closed day. Mistakes are answered by a new transfer that names the old one.
"""

import pgtrigger
from django.db import models
from django.db.models import F, Q

# pgtrigger's Protect knows no TRUNCATE, which passes by triggers on rows.
_no_truncate = pgtrigger.Trigger(
    name="no_truncate",
    level=pgtrigger.Statement,
    when=pgtrigger.Before,
    operation=pgtrigger.Truncate,
    func="RAISE EXCEPTION 'the ledger is append-only';",
)
_append_only = [
    pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
    _no_truncate,
]

# The lock makes closing the day wait for us, and us see that it was closed, even if a caller forgot to lock.
# `made_in` is the transaction that made the transfer, savepoints or not: nothing is added to it later.
_TRANSFER_IS_MADE_ON_THE_OPEN_DAY = """
    PERFORM 1 FROM rooms_gamingday WHERE id = NEW.day_id AND room_id = NEW.room_id AND closed_at IS NULL FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'gaming day % takes no posting: it is closed, or not of room %', NEW.day_id, NEW.room_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'transfer_on_the_open_day';
    END IF;
    NEW.made_in = txid_current();
    RETURN NEW;
"""

_TRANSFER_HAS_POSTINGS = """
    IF NOT EXISTS (SELECT 1 FROM ledger_posting WHERE transfer_id = NEW.id) THEN
        RAISE EXCEPTION 'transfer % has no postings', NEW.id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'transfer_has_postings';
    END IF;
    RETURN NULL;
"""

_POSTINGS_COME_WITH_THEIR_TRANSFER = """
    IF EXISTS (
        SELECT 1 FROM added
        JOIN ledger_transfer transfer ON transfer.id = added.transfer_id
        JOIN ledger_account account ON account.id = added.account_id
        WHERE transfer.made_in <> txid_current() OR account.room_id <> transfer.room_id
    ) THEN
        RAISE EXCEPTION 'a posting comes with its transfer and stays in its room'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'posting_comes_with_its_transfer';
    END IF;
    RETURN NULL;
"""

# Deferred, so it is judged at commit; the last posting of a transfer judges for all of them.
_TRANSFER_SUMS_TO_ZERO = """
    IF EXISTS (SELECT 1 FROM ledger_posting WHERE transfer_id = NEW.transfer_id AND id > NEW.id) THEN
        RETURN NULL;
    END IF;
    IF EXISTS (
        SELECT 1 FROM ledger_posting posting JOIN ledger_account account ON account.id = posting.account_id
        WHERE posting.transfer_id = NEW.transfer_id
        GROUP BY account.currency, account.unit HAVING sum(posting.cents) <> 0
    ) THEN
        RAISE EXCEPTION 'transfer % does not sum to zero', NEW.transfer_id
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'transfer_sums_to_zero';
    END IF;
    RETURN NULL;
"""


class Account(models.Model):
    """
    A place where money or chips can be, or the other end of one.

    `balance_cents` changes with the postings, in their transaction; `ledger check` proves it against
    their sum. A promise never goes below zero. Everything else is a place that is counted, and takes
    whatever was counted.
    """

    class Unit(models.TextChoices):
        MONEY = "money"
        CHIPS = "chips"

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT)
    owner_kind = models.CharField(max_length=10)
    # No foreign key: owners are rows of several apps (a table, a drawer, a player), and most of those stand above.
    owner_id = models.BigIntegerField()
    kind = models.CharField(max_length=20)
    unit = models.CharField(max_length=5, choices=Unit)
    currency = models.CharField(max_length=3)
    is_promise = models.BooleanField(default=False)
    balance_cents = models.BigIntegerField(default=0)

    may_change = ("balance_cents",)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["room", "owner_kind", "owner_id", "kind"], name="account_one_of_each_kind_per_owner"
            ),
            models.CheckConstraint(
                condition=Q(is_promise=False) | Q(balance_cents__gte=0), name="account_promise_never_below_zero"
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="never_deleted", operation=pgtrigger.Delete),
            _no_truncate,
            # What the account is stays as it was opened; only its balance moves.
            pgtrigger.Protect(
                name="stays_what_it_is",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(exclude=["balance_cents"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.owner_kind}.{self.owner_id}.{self.kind}"


class Transfer(models.Model):
    """
    One movement of money, chips or both, whole when it is made.

    Persons are ids (`made_by_id`, `approved_by_id`): their names live in `people` alone. `about` holds
    ids and codes of what caused it, never free text.
    """

    room = models.ForeignKey("rooms.Room", on_delete=models.PROTECT)
    day = models.ForeignKey("rooms.GamingDay", on_delete=models.PROTECT)
    kind = models.CharField(max_length=30)
    key = models.CharField(max_length=100)
    at = models.DateTimeField()
    made_by_id = models.BigIntegerField(null=True)
    approved_by_id = models.BigIntegerField(null=True)
    table_id = models.BigIntegerField(null=True)
    about = models.JSONField(default=dict)
    reverses = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="reversed_by")
    # Set by the database: the transaction that made it.
    made_in = models.BigIntegerField(default=0)

    may_change = ()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["room", "key"], name="transfer_key_used_once"),
            models.CheckConstraint(condition=~Q(reverses=F("id")), name="transfer_never_reverses_itself"),
            # Who asks never approves.
            models.CheckConstraint(
                condition=Q(approved_by_id__isnull=True) | ~Q(approved_by_id=F("made_by_id")),
                name="transfer_approved_by_another",
            ),
        ]
        # A day's first and last transfer bound its postings (`_POSTINGS_OF_A_DAY`).
        indexes = [models.Index(fields=["room", "day", "id"], name="transfer_by_day")]
        triggers = [
            *_append_only,
            pgtrigger.Trigger(
                name="made_on_the_open_day",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func=_TRANSFER_IS_MADE_ON_THE_OPEN_DAY,
            ),
            pgtrigger.Trigger(
                name="has_postings",
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                timing=pgtrigger.Deferred,
                func=_TRANSFER_HAS_POSTINGS,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Posting(models.Model):
    """One account's part of a transfer, in cents of the account's currency and unit."""

    transfer = models.ForeignKey(Transfer, on_delete=models.PROTECT)
    # `posting_of_account` begins with it: a second index would be written with each posting and read by nobody.
    account = models.ForeignKey(Account, on_delete=models.PROTECT, db_index=False)
    cents = models.BigIntegerField()

    may_change = ()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(cents=0), name="posting_moves_something")]
        # With the cents: what was on an account years ago is its balance less all that came after, read from here.
        indexes = [models.Index(fields=["account", "id"], include=["cents"], name="posting_of_account")]
        triggers = [
            *_append_only,
            pgtrigger.Trigger(
                name="comes_with_its_transfer",
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                level=pgtrigger.Statement,
                referencing=pgtrigger.Referencing(new="added"),
                func=_POSTINGS_COME_WITH_THEIR_TRANSFER,
            ),
            pgtrigger.Trigger(
                name="sums_to_zero",
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                timing=pgtrigger.Deferred,
                func=_TRANSFER_SUMS_TO_ZERO,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.cents}"
