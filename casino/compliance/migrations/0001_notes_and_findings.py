"""What compliance officers write on people and findings: notes that are only added. A new table."""

import django.contrib.postgres.fields
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("people", "0013_what_an_inquiry_holds"),
        ("rooms", "0005_stages_are_final"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ComplianceNote",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("together", "Together"),
                            ("just_below", "Just Below"),
                            ("little_played", "Little Played"),
                            ("other_means", "Other Means"),
                            ("unnamed", "Unnamed"),
                        ],
                        default="",
                        max_length=13,
                    ),
                ),
                (
                    "slip_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), default=list, size=None
                    ),
                ),
                (
                    "mark",
                    models.CharField(
                        choices=[
                            ("noted", "Noted"),
                            ("looked_at", "Looked At"),
                            ("explained", "Explained"),
                            ("reported", "Reported"),
                            ("reopened", "Reopened"),
                        ],
                        default="noted",
                        max_length=9,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("books", "Books"),
                            ("told", "Told"),
                            ("authority", "Authority"),
                            ("corrects", "Corrects"),
                        ],
                        max_length=9,
                    ),
                ),
                ("text", models.CharField(blank=True, max_length=1000)),
                ("reported_date", models.DateField(null=True)),
                ("reference", models.CharField(blank=True, default="", max_length=60)),
                ("written_at", models.DateTimeField()),
                ("erased_at", models.DateTimeField(null=True)),
                (
                    "corrects",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="compliance.compliancenote",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="people.player"
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
                (
                    "staff",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "written_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("corrects",), name="compliance_note_corrected_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("kind", ""),
                                ("mark", "noted"),
                                ("slip_ids", []),
                                models.Q(
                                    models.Q(("player__isnull", False), ("staff__isnull", True)),
                                    models.Q(("player__isnull", True), ("staff__isnull", False)),
                                    _connector="OR",
                                ),
                            ),
                            models.Q(
                                models.Q(("kind", ""), _negated=True),
                                models.Q(("slip_ids", []), _negated=True),
                                ("staff__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="compliance_note_is_about_one_thing",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("mark", "reported"), ("reported_date__isnull", False)),
                            models.Q(
                                models.Q(("mark", "reported"), _negated=True),
                                ("reference", ""),
                                ("reported_date__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="compliance_note_reported_on_a_day",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("corrects__isnull", False), ("reason", "corrects")),
                            models.Q(models.Q(("reason", "corrects"), _negated=True), ("corrects__isnull", True)),
                            _connector="OR",
                        ),
                        name="compliance_note_says_what_it_corrects",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("erased_at__isnull", True), models.Q(("text", ""), _negated=True)),
                            models.Q(("erased_at__isnull", False), ("reference", ""), ("text", "")),
                            _connector="OR",
                        ),
                        name="compliance_note_says_something_until_erased",
                    ),
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="compliancenote",
            trigger=pgtrigger.compiler.Trigger(
                name="compliance_note_never_deleted",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="7944d05a5b4335edd5308a814b62a74787d9dee7",
                    operation="DELETE",
                    pgid="pgtrigger_compliance_note_never_deleted_58041",
                    table="compliance_compliancenote",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="compliancenote",
            trigger=pgtrigger.compiler.Trigger(
                name="compliance_note_stands",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (NEW.text <> '' OR NEW.reference <> '' OR NEW.erased_at IS NULL OR OLD.erased_at IS NOT NULL OR (OLD.id, OLD.room_id,\n    OLD.player_id, OLD.staff_id, OLD.kind, OLD.slip_ids, OLD.mark, OLD.reason, OLD.reported_date, OLD.corrects_id,\n    OLD.written_at, OLD.written_by_id) IS DISTINCT FROM (NEW.id, NEW.room_id, NEW.player_id, NEW.staff_id, NEW.kind,\n    NEW.slip_ids, NEW.mark, NEW.reason, NEW.reported_date, NEW.corrects_id, NEW.written_at, NEW.written_by_id))",
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="f6eef1cd3d221c997368ed9107f7288a6803323a",
                    operation="UPDATE",
                    pgid="pgtrigger_compliance_note_stands_d2cca",
                    table="compliance_compliancenote",
                    when="BEFORE",
                ),
            ),
        ),
    ]
