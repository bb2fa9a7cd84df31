from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"
    pages_at = ""
    calls_at = ""

    def ready(self) -> None:
        from casino.audit import held
        from casino.cage import day_begins, day_counts, day_ends, deliveries, fill_places, open_items
        from casino.ledger import owners
        from casino.people import elsewhere
        from casino.people.handovers import on_handover
        from tables import charges, chart, exception_kinds, exception_racks, proof, push, reasons
        from tables.deliveries import PickedUp, Seat, UncountedStack
        from tables.floats import TableFloat
        from tables.held import (
            CLOSED_TIPS,
            CLOSED_TIPS_BACK,
            DOWN,
            RACK_CASH_COUNT,
            RACK_CASH_SINCE,
            RACK_CHECK,
            RACK_FILL,
            SITTING,
            TABLE_DIFFERENCE,
            TIP_COUNT,
            TIP_COUNT_MISSING,
            TIP_COUNT_OF,
            TIP_PAYROLL,
        )
        from tables.models import ClosedTips, Down, RackCheck, RackFill, Seating, TableDifference, TipCount, TipPayroll
        from tables.open_items import (
            DISPUTED_BEFORE,
            DISPUTED_POTS,
            IN_PLAY,
            OPEN_TABLES,
            OVER_SHORT,
            PLAY_ON,
            RACK_CASH_LIES,
            RACKS_UNCOUNTED,
            TIP_BOXES,
            TO_JUDGE,
            UNCOUNTED,
        )
        from tables.over_short import found_at_tables
        from tables.owners import table_numbers
        from tables.rake import Rake
        from tables.services.downs import follow_handover
        from tables.services.evening import WISHES_END
        from tables.services.playing_on import of_running_tables, play_on
        from tables.whereabouts import AtTheTables

        deliveries.register(deliveries.SEAT, Seat())
        deliveries.register("picked_up", PickedUp())
        fill_places.register(chart.OWNER, TableFloat())
        deliveries.on_cash_out.append(UncountedStack())
        for items in (
            OPEN_TABLES,
            PLAY_ON,
            OVER_SHORT,
            DISPUTED_POTS,
            RACK_CASH_LIES,
            RACKS_UNCOUNTED,
            TO_JUDGE,
            UNCOUNTED,
            IN_PLAY,
            TIP_BOXES,
            DISPUTED_BEFORE,
        ):
            open_items.register(items)
        day_ends.register(WISHES_END)
        day_counts.add_found(found_at_tables)
        day_begins.register(play_on, audiences=of_running_tables)
        on_handover.append(follow_handover)
        elsewhere.register(AtTheTables())
        chart.register()
        owners.register(chart.OWNER, table_numbers)
        charges.register(Rake())
        push.register()
        reasons.register()
        proof.register()
        held.hold(RACK_FILL, saved=RackFill)
        held.hold(RACK_CHECK, saved=RackCheck)
        held.hold(RACK_CASH_COUNT)
        held.hold(RACK_CASH_SINCE)
        held.hold(TABLE_DIFFERENCE, saved=TableDifference)
        exception_kinds.register()
        exception_racks.register()
        held.hold(TIP_COUNT, saved=TipCount)
        held.hold(TIP_COUNT_MISSING)
        held.hold(TIP_COUNT_OF)
        held.hold(CLOSED_TIPS, saved=ClosedTips)
        held.hold(CLOSED_TIPS_BACK)
        held.hold(TIP_PAYROLL, saved=TipPayroll)
        held.hold(DOWN, saved=Down, fields=("ended_at",))
        held.hold(SITTING, saved=Seating, fields=("left_at",))
