"""A role of its own for who looks at what stands out. Staff and tokens are few: their check is read anew at once."""

from django.db import migrations, models

ROLES = ["manager", "floor", "dealer", "cashier", "auditor", "compliance"]


class Migration(migrations.Migration):
    dependencies = [("people", "0010_tokens_of_what_is_gone")]

    operations = [
        migrations.RemoveConstraint("apitoken", "api_token_roles_are_known"),
        migrations.RemoveConstraint("staff", "staff_roles_are_known"),
        migrations.AddConstraint(
            "apitoken",
            models.CheckConstraint(
                condition=models.Q(roles__contained_by=ROLES),
                name="api_token_roles_are_known",
            ),
        ),
        migrations.AddConstraint(
            "staff",
            models.CheckConstraint(
                condition=models.Q(roles__contained_by=ROLES),
                name="staff_roles_are_known",
            ),
        ),
    ]
