import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("rooms", "0001_room_days_and_places"),
    ]

    operations = [
        migrations.CreateModel(
            name="Account",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("owner_kind", models.CharField(max_length=10)),
                ("owner_id", models.BigIntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("unit", models.CharField(choices=[("money", "Money"), ("chips", "Chips")], max_length=5)),
                ("currency", models.CharField(max_length=3)),
                ("is_promise", models.BooleanField(default=False)),
                ("balance_cents", models.BigIntegerField(default=0)),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
        ),
        migrations.CreateModel(
            name="Transfer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=30)),
                ("key", models.CharField(max_length=100)),
                ("at", models.DateTimeField()),
                ("made_by_id", models.BigIntegerField(null=True)),
                ("approved_by_id", models.BigIntegerField(null=True)),
                ("table_id", models.BigIntegerField(null=True)),
                ("about", models.JSONField(default=dict)),
                ("made_in", models.BigIntegerField(default=0)),
                ("day", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.gamingday")),
                (
                    "reverses",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reversed_by",
                        to="ledger.transfer",
                    ),
                ),
                ("room", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="rooms.room")),
            ],
        ),
        migrations.CreateModel(
            name="Posting",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("cents", models.BigIntegerField()),
                (
                    "account",
                    models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to="ledger.account"),
                ),
                ("transfer", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to="ledger.transfer")),
            ],
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.UniqueConstraint(
                fields=("room", "owner_kind", "owner_id", "kind"), name="account_one_of_each_kind_per_owner"
            ),
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.CheckConstraint(
                condition=models.Q(("is_promise", False), ("balance_cents__gte", 0), _connector="OR"),
                name="account_promise_never_below_zero",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="account",
            trigger=pgtrigger.compiler.Trigger(
                name="never_deleted",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="12adf7be5a60fc20c1a47a95cc472fd6f4b99a59",
                    operation="DELETE",
                    pgid="pgtrigger_never_deleted_d9133",
                    table="ledger_account",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="account",
            trigger=pgtrigger.compiler.Trigger(
                name="no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'the ledger is append-only';",
                    hash="cbb7bb16218103b0f21f237e4711878441433c7c",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_no_truncate_ede68",
                    table="ledger_account",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="account",
            trigger=pgtrigger.compiler.Trigger(
                name="stays_what_it_is",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."currency" IS DISTINCT FROM (NEW."currency") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."is_promise" IS DISTINCT FROM (NEW."is_promise") OR OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."owner_id" IS DISTINCT FROM (NEW."owner_id") OR OLD."owner_kind" IS DISTINCT FROM (NEW."owner_kind") OR OLD."room_id" IS DISTINCT FROM (NEW."room_id") OR OLD."unit" IS DISTINCT FROM (NEW."unit"))',
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="037a9d9da4c0b59d0bf85871aaeb162cbce8fd82",
                    operation="UPDATE",
                    pgid="pgtrigger_stays_what_it_is_51a25",
                    table="ledger_account",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="transfer",
            index=models.Index(fields=["room", "day", "id"], name="transfer_by_day"),
        ),
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.UniqueConstraint(fields=("room", "key"), name="transfer_key_used_once"),
        ),
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.CheckConstraint(
                condition=models.Q(("reverses", models.F("id")), _negated=True), name="transfer_never_reverses_itself"
            ),
        ),
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("approved_by_id__isnull", True),
                    models.Q(("approved_by_id", models.F("made_by_id")), _negated=True),
                    _connector="OR",
                ),
                name="transfer_approved_by_another",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="transfer",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="70325547308161dd6ef915ba966493a8d5c54836",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_8b6f8",
                    table="ledger_transfer",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="transfer",
            trigger=pgtrigger.compiler.Trigger(
                name="no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'the ledger is append-only';",
                    hash="e8a9032cf2a1cc24afc9cab4131f37e3beb8d19a",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_no_truncate_8ae86",
                    table="ledger_transfer",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="transfer",
            trigger=pgtrigger.compiler.Trigger(
                name="made_on_the_open_day",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    PERFORM 1 FROM rooms_gamingday WHERE id = NEW.day_id AND room_id = NEW.room_id AND closed_at IS NULL FOR SHARE;\n    IF NOT FOUND THEN\n        RAISE EXCEPTION 'gaming day % takes no posting: it is closed, or not of room %', NEW.day_id, NEW.room_id\n            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'transfer_on_the_open_day';\n    END IF;\n    NEW.made_in = txid_current();\n    RETURN NEW;\n",
                    hash="e85687d40fe3e610fcb5cef222206f7fce36424d",
                    operation="INSERT",
                    pgid="pgtrigger_made_on_the_open_day_5f216",
                    table="ledger_transfer",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="transfer",
            trigger=pgtrigger.compiler.Trigger(
                name="has_postings",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    constraint="CONSTRAINT",
                    func="\n    IF NOT EXISTS (SELECT 1 FROM ledger_posting WHERE transfer_id = NEW.id) THEN\n        RAISE EXCEPTION 'transfer % has no postings', NEW.id\n            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'transfer_has_postings';\n    END IF;\n    RETURN NULL;\n",
                    hash="f9a4d5f850b2bc665e84ef006702481d3723f94a",
                    operation="INSERT",
                    pgid="pgtrigger_has_postings_1b408",
                    table="ledger_transfer",
                    timing="DEFERRABLE INITIALLY DEFERRED",
                    when="AFTER",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="posting",
            index=models.Index(fields=["account", "id"], name="posting_by_account"),
        ),
        migrations.AddConstraint(
            model_name="posting",
            constraint=models.CheckConstraint(
                condition=models.Q(("cents", 0), _negated=True), name="posting_moves_something"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="posting",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="7b239e9284152ba7def92c3dbc6b17b168823747",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_f2ff5",
                    table="ledger_posting",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="posting",
            trigger=pgtrigger.compiler.Trigger(
                name="no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'the ledger is append-only';",
                    hash="616d1479890ca3d1ff4d028afbd125185fcee608",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_no_truncate_96585",
                    table="ledger_posting",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="posting",
            trigger=pgtrigger.compiler.Trigger(
                name="comes_with_its_transfer",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    IF EXISTS (\n        SELECT 1 FROM added\n        JOIN ledger_transfer transfer ON transfer.id = added.transfer_id\n        JOIN ledger_account account ON account.id = added.account_id\n        WHERE transfer.made_in <> txid_current() OR account.room_id <> transfer.room_id\n    ) THEN\n        RAISE EXCEPTION 'a posting comes with its transfer and stays in its room'\n            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'posting_comes_with_its_transfer';\n    END IF;\n    RETURN NULL;\n",
                    hash="bdb4c8df6676fbdd02413f359dbe4722fd8c5267",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_comes_with_its_transfer_7f806",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="ledger_posting",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="posting",
            trigger=pgtrigger.compiler.Trigger(
                name="sums_to_zero",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    constraint="CONSTRAINT",
                    func="\n    IF EXISTS (SELECT 1 FROM ledger_posting WHERE transfer_id = NEW.transfer_id AND id > NEW.id) THEN\n        RETURN NULL;\n    END IF;\n    IF EXISTS (\n        SELECT 1 FROM ledger_posting posting JOIN ledger_account account ON account.id = posting.account_id\n        WHERE posting.transfer_id = NEW.transfer_id\n        GROUP BY account.currency, account.unit HAVING sum(posting.cents) <> 0\n    ) THEN\n        RAISE EXCEPTION 'transfer % does not sum to zero', NEW.transfer_id\n            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'transfer_sums_to_zero';\n    END IF;\n    RETURN NULL;\n",
                    hash="c491a0c1c50aebc1f94178d03cccc6e4624c03ea",
                    operation="INSERT",
                    pgid="pgtrigger_sums_to_zero_0b00c",
                    table="ledger_posting",
                    timing="DEFERRABLE INITIALLY DEFERRED",
                    when="AFTER",
                ),
            ),
        ),
    ]
