"""Fill slips are numbered under the room's row, as vouchers are: the vault's own is gone. Drops a table of a row a room."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0015_money_of_requests"),
    ]

    operations = [
        migrations.DeleteModel(name="Vault"),
    ]
