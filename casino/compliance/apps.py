from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ComplianceConfig(AppConfig):
    name = "casino.compliance"
    label = "compliance"
    pages_at = "compliance/"
    calls_at = "compliance/"

    def ready(self) -> None:
        from casino.compliance import services  # noqa: F401 - registers its commands
        from casino.field_names import name_field

        name_field("text", _("What is noted"))
        name_field("mark", _("What it is from now on"))
        name_field("reported_on", _("Reported on"))
        name_field("reference", _("The authority’s reference"))
        name_field("staff_id", _("Who"))
        name_field("slip_ids", _("Slips"))
