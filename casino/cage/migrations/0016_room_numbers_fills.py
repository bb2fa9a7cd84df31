"""
Fill slips are numbered under the room's row, as vouchers are: nothing reads the vault's own any more.

Its table stays for a version: processes of before number by it until they are replaced, and dropping a table whose rows
name rooms would have to keep every tap waiting. It has a row a room.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("cage", "0015_money_of_requests"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name="Vault")]),
    ]
