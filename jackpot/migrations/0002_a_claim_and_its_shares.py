"""Claims to a jackpot, with their checklists and shares. Locks nothing: the tables are new."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jackpot", "0001_pools"),
        ("people", "0007_tokens_end"),
        ("rooms", "0002_floor_by_the_book"),
        ("tables", "0012_a_table_that_waits"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Claim",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(max_length=40)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("called", "Called"),
                            ("entered", "Entered"),
                            ("verified", "Verified"),
                            ("approved", "Approved"),
                            ("refused", "Refused"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        default="called",
                        max_length=10,
                    ),
                ),
                ("version", models.PositiveBigIntegerField(default=1)),
                ("rule_book_version_id", models.BigIntegerField()),
                ("called_at", models.DateTimeField()),
                ("called_by_id", models.BigIntegerField(null=True)),
                ("said", models.JSONField(default=dict)),
                ("hit_at", models.DateTimeField(null=True)),
                ("verdict", models.CharField(blank=True, max_length=10)),
                ("category", models.PositiveSmallIntegerField(default=0)),
                ("entered_at", models.DateTimeField(null=True)),
                ("entered_by_id", models.BigIntegerField(null=True)),
                (
                    "disputed",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("cards", "Cards"),
                            ("players", "Players"),
                            ("talk", "Talk"),
                            ("shares", "Shares"),
                            ("other", "Other"),
                        ],
                        max_length=20,
                    ),
                ),
                ("disputed_at", models.DateTimeField(null=True)),
                ("disputed_by_id", models.BigIntegerField(null=True)),
                ("verified_at", models.DateTimeField(null=True)),
                ("decided_at", models.DateTimeField(null=True)),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("does_not_qualify", "Does Not Qualify"),
                            ("talk", "Talk"),
                            ("deck", "Deck"),
                            ("not_present", "Not Present"),
                            ("mistapped", "Mistapped"),
                            ("other", "Other"),
                        ],
                        max_length=20,
                    ),
                ),
                ("sum_cents", models.PositiveBigIntegerField(null=True)),
                ("paid_cents", models.PositiveBigIntegerField(null=True)),
                ("base_cents", models.PositiveBigIntegerField(null=True)),
                ("house_cents", models.PositiveBigIntegerField(null=True)),
                (
                    "approved_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("hand", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="tables.hand")),
                ("pool", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to="jackpot.pool")),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                ("table", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="tables.table")),
                (
                    "verified_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ClaimCheck",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "item",
                    models.CharField(
                        choices=[
                            ("deck", "Deck"),
                            ("hands", "Hands"),
                            ("surveillance", "Surveillance"),
                            ("witnesses", "Witnesses"),
                            ("identities", "Identities"),
                        ],
                        max_length=20,
                    ),
                ),
                ("reference", models.CharField(blank=True, max_length=60)),
                ("done_at", models.DateTimeField()),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="checks", to="jackpot.claim"
                    ),
                ),
                (
                    "done_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "witness",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ClaimShare",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat_number", models.PositiveSmallIntegerField()),
                (
                    "role",
                    models.CharField(
                        choices=[("winner", "Winner"), ("loser", "Loser"), ("other", "Other")], max_length=10
                    ),
                ),
                ("cents", models.PositiveBigIntegerField()),
                ("is_disputed", models.BooleanField(default=False)),
                ("slip_id", models.BigIntegerField(null=True)),
                ("paid_at", models.DateTimeField(null=True)),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="shares", to="jackpot.claim"
                    ),
                ),
                ("player", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="people.player")),
            ],
        ),
        migrations.AddIndex(
            model_name="claim",
            index=models.Index(
                condition=models.Q(("status__in", ["called", "entered", "verified"])),
                fields=["room", "called_at"],
                name="claim_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="claim",
            constraint=models.UniqueConstraint(
                condition=models.Q(("disputed_at__isnull", True), ("status__in", ["called", "entered"])),
                fields=("table",),
                name="claim_holds_a_table_alone",
            ),
        ),
        migrations.AddConstraint(
            model_name="claim",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status__in", ["withdrawn", "refused"]), _negated=True),
                fields=("hand",),
                name="claim_paid_once_per_hand",
            ),
        ),
        migrations.AddConstraint(
            model_name="claim",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status__in", ["entered", "verified", "approved"]), _negated=True),
                    models.Q(
                        ("entered_at__isnull", False),
                        ("hit_at__isnull", False),
                        models.Q(("verdict", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="claim_is_judged_by_its_cards",
            ),
        ),
        migrations.AddConstraint(
            model_name="claim",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status", "approved"), _negated=True),
                    models.Q(
                        ("approved_by__isnull", False),
                        ("decided_by__isnull", False),
                        ("verified_by__isnull", False),
                        ("base_cents__isnull", False),
                        ("paid_cents__isnull", False),
                        ("sum_cents__isnull", False),
                        ("house_cents__isnull", False),
                        ("pool__isnull", False),
                        models.Q(("approved_by", models.F("verified_by")), _negated=True),
                        models.Q(("approved_by", models.F("decided_by")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="claim_approved_by_another_than_verified_it",
            ),
        ),
        migrations.AddConstraint(
            model_name="claim",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status__in", ["refused", "withdrawn"]), _negated=True),
                    models.Q(("decided_at__isnull", False), models.Q(("reason", ""), _negated=True)),
                    _connector="OR",
                ),
                name="claim_ends_with_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="claimcheck",
            constraint=models.UniqueConstraint(fields=("claim", "item"), name="claim_check_done_once"),
        ),
        migrations.AddConstraint(
            model_name="claimcheck",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("item", "surveillance"), _negated=True),
                    models.Q(("reference", ""), _negated=True),
                    _connector="OR",
                ),
                name="claim_check_names_the_pictures",
            ),
        ),
        migrations.AddConstraint(
            model_name="claimcheck",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("item", "witnesses"), _negated=True), ("witness__isnull", False), _connector="OR"
                ),
                name="claim_check_names_a_witness",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="claimcheck",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="e776808b6376c99e0bea9f6b56e335f4838565ff",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_7f716",
                    table="jackpot_claimcheck",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="claimshare",
            index=models.Index(
                condition=models.Q(("paid_at__isnull", True)), fields=["player"], name="claim_share_pending"
            ),
        ),
        migrations.AddConstraint(
            model_name="claimshare",
            constraint=models.UniqueConstraint(fields=("claim", "seat_number"), name="claim_share_one_per_seat"),
        ),
        migrations.AddConstraint(
            model_name="claimshare",
            constraint=models.CheckConstraint(condition=models.Q(("cents__gt", 0)), name="claim_share_is_something"),
        ),
        migrations.AddConstraint(
            model_name="claimshare",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("paid_at__isnull", True),
                    models.Q(("is_disputed", False), ("slip_id__isnull", False)),
                    _connector="OR",
                ),
                name="claim_share_paid_by_a_slip",
            ),
        ),
    ]
