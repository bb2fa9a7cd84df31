"""The addresses of what is printed to play on by paper, and of what is entered from it afterwards."""

from django.urls import path

from casino.paper import views, views_catch_up, views_lists

urlpatterns = [
    path("floor/paper/", views.paper_page, name="paper"),
    path("floor/paper/print/", views.print_tap, name="paper_print"),
    path("floor/paper/<int:printing_id>/", views.printed_page, name="paper_printed"),
    path("floor/paper/lists/<int:number>/", views_lists.lists_page, name="paper_lists"),
    path("floor/paper/lists/<int:number>/look/", views_lists.look_tap, name="paper_look_lists"),
    path("floor/paper/lists/<int:number>/catch-up/", views_lists.catch_up_tap, name="paper_catch_up_lists"),
    path("floor/paper/tables/<int:number>/", views_catch_up.table_sheets, name="paper_table"),
    path("floor/paper/sheets/<int:number>/", views_catch_up.sheet_page, name="paper_sheet"),
    path("floor/paper/sheets/<int:number>/look/", views_catch_up.look_tap, name="paper_look"),
    path("floor/paper/sheets/<int:number>/catch-up/", views_catch_up.catch_up_tap, name="paper_catch_up"),
]
