"""
Sum up an account's postings from the index alone, without visiting each of them.

Built concurrently, and the old index dropped concurrently after it: no posting waits, and so it is no transaction. A
migration that was broken off leaves an invalid index behind; drop that one and migrate again.
"""

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("ledger", "0001_accounts_transfers_postings")]

    operations = [
        AddIndexConcurrently(
            model_name="posting",
            index=models.Index(fields=["account", "id"], include=["cents"], name="posting_of_account"),
        ),
        RemoveIndexConcurrently(model_name="posting", name="posting_by_account"),
    ]
