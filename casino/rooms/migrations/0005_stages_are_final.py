"""The stages of a gaming day are final, and the second is of two persons. Checks the days, which are few, at once."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

from casino.migrating import AtOnce


class Migration(migrations.Migration):
    dependencies = [("rooms", "0004_two_stages")]

    operations = [
        AtOnce(
            [
                pgtrigger.migrations.AddTrigger(
                    model_name="gamingday",
                    trigger=pgtrigger.compiler.Trigger(
                        name="stages_are_final",
                        sql=pgtrigger.compiler.UpsertTriggerSql(
                            condition=(
                                "WHEN (OLD.closed_at IS NOT NULL AND NEW.closed_at IS DISTINCT FROM OLD.closed_at"
                                " OR OLD.counted_at IS NOT NULL AND (NEW.counted_at, NEW.counted_by_id,"
                                " NEW.counted_with_id) IS DISTINCT FROM (OLD.counted_at, OLD.counted_by_id,"
                                " OLD.counted_with_id)"
                                " OR OLD.closed_at IS NOT NULL AND OLD.counted_at IS NULL"
                                " AND OLD.counts_wait <> (NEW.counts_wait OR NEW.counted_at IS NOT NULL))"
                            ),
                            func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                            hash="d85692bea28df14ed1a8b39df5712e4bde1f8982",
                            operation="UPDATE",
                            pgid="pgtrigger_stages_are_final_b5c72",
                            table="rooms_gamingday",
                            when="BEFORE",
                        ),
                    ),
                ),
                migrations.AddConstraint(
                    model_name="gamingday",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("counted_at__isnull", True),
                                ("counted_by_id__isnull", True),
                                ("counted_with_id__isnull", True),
                            ),
                            models.Q(
                                ("closed_at__isnull", False),
                                ("counted_at__gte", models.F("closed_at")),
                                ("counts_wait", False),
                                ("counted_by_id__isnull", False),
                                ("counted_with_id__isnull", False),
                                models.Q(("counted_by_id", models.F("counted_with_id")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="gaming_day_counted_once_closed_and_by_two",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="gamingday",
                    constraint=models.CheckConstraint(
                        condition=models.Q(("counts_wait", False), ("closed_at__isnull", False), _connector="OR"),
                        name="gaming_day_counts_wait_once_closed",
                    ),
                ),
            ]
        ),
    ]
