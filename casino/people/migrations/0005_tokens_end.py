"""
Tokens of the REST interface end, and say when they were used. Those that are there already end in thirty days.

Rewrites no table; reads that of the tokens, which are few, to judge the new constraint.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("people", "0004_whose_wrong_pins")]

    operations = [
        migrations.AddField("apitoken", "last_used_at", models.DateTimeField(null=True)),
        migrations.AddField("apitoken", "ends_at", models.DateTimeField(null=True)),
        migrations.RunSQL(
            "UPDATE people_apitoken SET ends_at = greatest(now(), made_at) + interval '30 days'",
            migrations.RunSQL.noop,
        ),
        migrations.AlterField("apitoken", "ends_at", models.DateTimeField()),
        migrations.AddConstraint(
            "apitoken",
            models.CheckConstraint(
                condition=models.Q(("ends_at__gt", models.F("made_at"))), name="api_token_ends_after_it_was_made"
            ),
        ),
    ]
