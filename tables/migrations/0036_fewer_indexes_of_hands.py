"""
The newest hand of an opening is found by an index, and hands lose those that they are not looked up by: each hand is
written twice and more, and each time all of its indexes with it.

Indexes are built and dropped concurrently: nobody waits. So this is no transaction; broken off, it is begun again.
"""

from django.db import migrations, models
from django.db.models import PROTECT, Q

from casino.migrating import WhileTapsWrite

ROOM = models.ForeignKey("rooms.room", PROTECT, db_index=False)

# Django named them, with a hash of table and column: alike in every house.
DROPPED = {
    "tables_hand_room_id_23c208c9": "tables_hand (room_id)",
    "tables_hand_table_id_4f37350b": "tables_hand (table_id)",
    "tables_hand_corrects_id_e547fb56": "tables_hand (corrects_id)",
    "tables_handseat_room_id_0a302446": "tables_handseat (room_id)",
    "tables_handseat_hand_id_61840987": "tables_handseat (hand_id)",
    "tables_handpot_room_id_138a5791": "tables_handpot (room_id)",
    "tables_handpot_hand_id_3ad3cb25": "tables_handpot (hand_id)",
    "tables_handcharge_room_id_0d800cf7": "tables_handcharge (room_id)",
    "tables_table_hand_id_dbdbb07b": "tables_table (hand_id)",
}


def _of_hand(related_name: str) -> models.ForeignKey:
    return models.ForeignKey("tables.hand", PROTECT, related_name=related_name, db_index=False)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tables", "0035_changes_are_wished")]

    operations = [
        WhileTapsWrite(
            [
                migrations.AddIndex(
                    "hand",
                    models.Index(
                        fields=["opening", "-number", "-id"],
                        condition=Q(status__in=["settled", "not_logged"]),
                        name="hand_newest_of_opening",
                    ),
                ),
                migrations.AddIndex(
                    "hand",
                    models.Index(fields=["corrects"], condition=Q(corrects__isnull=False), name="hand_corrected"),
                ),
            ]
        ),
        # Django would drop each foreign key and judge all rows by it anew, to drop its index.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField("hand", "room", ROOM),
                migrations.AlterField(
                    "hand", "table", models.ForeignKey("tables.table", PROTECT, related_name="hands", db_index=False)
                ),
                migrations.AlterField(
                    "hand",
                    "corrects",
                    models.ForeignKey("tables.hand", PROTECT, null=True, related_name="corrections", db_index=False),
                ),
                migrations.AlterField("handseat", "room", ROOM),
                migrations.AlterField("handseat", "hand", _of_hand("seats")),
                migrations.AlterField("handpot", "room", ROOM),
                migrations.AlterField("handpot", "hand", _of_hand("pots")),
                migrations.AlterField("handcharge", "room", ROOM),
                migrations.AlterField(
                    "table",
                    "hand",
                    models.ForeignKey("tables.hand", PROTECT, null=True, related_name="+", db_index=False),
                ),
            ],
            database_operations=[
                migrations.RunSQL(
                    f"DROP INDEX CONCURRENTLY IF EXISTS {name}",
                    # One that was broken off is there, and of no use.
                    [f"DROP INDEX CONCURRENTLY IF EXISTS {name}", f"CREATE INDEX CONCURRENTLY {name} ON {columns}"],
                )
                for name, columns in DROPPED.items()
            ],
        ),
    ]
