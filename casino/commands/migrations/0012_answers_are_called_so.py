"""What was answered to a command is called so in the code; its table, columns and names in the database stay."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("commands", "0011_cash_not_counted")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterModelTable(name="claim", table="commands_claim"),
                migrations.RenameModel(old_name="Claim", new_name="AnsweredCommand"),
            ]
        )
    ]
