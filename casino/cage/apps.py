from django.apps import AppConfig


class CageConfig(AppConfig):
    name = "casino.cage"
    label = "cage"

    def ready(self) -> None:
        from casino.audit import held
        from casino.cage import chart, days, exception_kinds, proof, proof_banks, proof_fills, proof_foreign, push, services  # noqa: F401 - each registers what it has
        from casino.cage.held import (
            CARRIED,
            COUNT,
            COUNT_BY_TWO,
            DAY_COUNTED,
            FILL,
            FLOAT,
            NOTE_RATE,
            NOTES_COUNTED,
            NOTES_TAKEN,
            SLIP,
            UNCLAIMED,
            VOUCHER,
            VOUCHER_PRINT,
        )
        from casino.cage.models import (
            CarriedItem,
            DrawerCount,
            NoteRate,
            NotesCounted,
            NotesTaken,
            Slip,
            Unclaimed,
            Voucher,
            VoucherPrint,
        )
        from casino.cage.models_fills import FillSlip
        from casino.cage.selectors import drawer_numbers
        from casino.cage.whereabouts import AtTheCage
        from casino.ledger import owners
        from casino.people import elsewhere
        from casino.people.selectors import staff_names

        chart.register()
        owners.register(chart.DRAWER, drawer_numbers)
        owners.register(chart.RUNNER, staff_names)
        proof.register()
        proof_banks.register()
        proof_fills.register()
        proof_foreign.register()
        held.hold(SLIP, saved=Slip)
        held.hold(COUNT, saved=DrawerCount)
        held.hold(COUNT_BY_TWO, saved=DrawerCount)
        held.hold(FLOAT)
        held.hold(FILL, saved=FillSlip)
        held.hold(UNCLAIMED, saved=Unclaimed)
        held.hold(VOUCHER, saved=Voucher)
        held.hold(VOUCHER_PRINT, saved=VoucherPrint)
        held.hold(NOTE_RATE, saved=NoteRate)
        held.hold(NOTES_TAKEN, saved=NotesTaken)
        held.hold(NOTES_COUNTED, saved=NotesCounted)
        held.hold(CARRIED, saved=CarriedItem)
        held.hold(DAY_COUNTED)
        elsewhere.register(AtTheCage())
        exception_kinds.register()
