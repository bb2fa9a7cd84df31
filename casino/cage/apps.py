from django.apps import AppConfig


class CageConfig(AppConfig):
    name = "casino.cage"
    label = "cage"

    def ready(self) -> None:
        from casino.audit import held
        from casino.cage import chart, days, exception_kinds, proof, proof_fills, push, services  # noqa: F401 - each registers what it has
        from casino.cage.held import CARRIED, COUNT, COUNT_BY_TWO, DAY_COUNTED, FILL, FLOAT, SLIP, UNCLAIMED, VOUCHER
        from casino.cage.models import CarriedItem, DrawerCount, Slip, Unclaimed, Voucher
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
        proof_fills.register()
        held.hold(SLIP, saved=Slip)
        held.hold(COUNT, saved=DrawerCount)
        held.hold(COUNT_BY_TWO, saved=DrawerCount)
        held.hold(FLOAT)
        held.hold(FILL, saved=FillSlip)
        held.hold(UNCLAIMED, saved=Unclaimed)
        held.hold(VOUCHER, saved=Voucher)
        held.hold(CARRIED, saved=CarriedItem)
        held.hold(DAY_COUNTED)
        elsewhere.register(AtTheCage())
        exception_kinds.register()
