"""
Drawers say on which gaming day they were counted; until now that was the one on which they were opened.

The rows are a few for each day.
"""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q

COUNTED = "UPDATE cage_drawersession SET closed_day_id = day_id WHERE closed_at IS NOT NULL"


class Migration(migrations.Migration):
    dependencies = [("cage", "0022_vault_counted"), ("rooms", "0005_stages_are_final")]

    operations = [
        migrations.AddField(
            model_name="drawersession",
            name="closed_day",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="rooms.gamingday"
            ),
        ),
        migrations.RunSQL(COUNTED, migrations.RunSQL.noop),
        migrations.RemoveConstraint(model_name="drawersession", name="drawer_session_closes_after_it_opens"),
        migrations.AddConstraint(
            model_name="drawersession",
            constraint=models.CheckConstraint(
                condition=Q(closed_at__isnull=True, closed_by__isnull=True, closed_day__isnull=True)
                | Q(closed_at__gte=F("opened_at"), closed_by__isnull=False, closed_day__gte=F("day")),
                name="drawer_session_closes_after_it_opens",
            ),
        ),
    ]
