from django.apps import AppConfig


class AuditConfig(AppConfig):
    name = "casino.audit"
    label = "audit"
    calls_at = "audit/"
