from django.apps import AppConfig


class CageConfig(AppConfig):
    name = "casino.cage"
    label = "cage"
    pages_at = "cage/"
    calls_at = "cage/"

    def ready(self) -> None:
        from casino.cage import vault_of_day

        # Before the services, some of which add to the same lists: pages show them in this order.
        vault_of_day.register()
        # Each registers what it has.
        import casino.cage.push
        import casino.cage.services  # noqa: F401
        from casino.audit.held import hold
        from casino.cage import (
            chart,
            exception_carried,
            exception_kinds,
            held,
            models,
            proof,
            proof_banks,
            proof_fills,
            proof_foreign,
            proof_vault,
        )
        from casino.cage.models_fills import FillSlip
        from casino.cage.selectors.blind import held_open
        from casino.cage.selectors.drawers import drawer_numbers
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
        proof_vault.register()
        hold(held.SLIP, saved=models.Slip)
        hold(held.COUNT, saved=models.DrawerCount)
        hold(held.COUNT_BY_TWO, saved=models.DrawerCount)
        hold(held.FLOAT)
        hold(held.FILL, saved=FillSlip)
        hold(held.UNCLAIMED, saved=models.Unclaimed)
        hold(held.VOUCHER, saved=models.Voucher)
        hold(held.VOUCHER_PRINT, saved=models.VoucherPrint)
        hold(held.NOTE_RATE, saved=models.NoteRate)
        hold(held.NOTES_TAKEN, saved=models.NotesTaken)
        hold(held.NOTES_COUNTED, saved=models.NotesCounted)
        hold(held.NOTES_EXCHANGED, saved=models.NotesExchanged)
        hold(held.VAULT_COUNT, saved=models.VaultCount)
        hold(held.VAULT_NOTES, saved=models.VaultNotesCounted)
        hold(held.CARRIED)
        hold(held.DAY_COUNTED)
        elsewhere.register(AtTheCage())
        owners.blind(chart.DRAWER, held_open)
        exception_kinds.register()
        exception_carried.register()
