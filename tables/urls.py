"""Addresses of the tables' screens."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
