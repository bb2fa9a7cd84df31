"""
An opening says whether its table has cash plays, where the book lets tables. Adds a column with a constant default, which
rewrites nothing: all of before had them as their books say.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0031_table_differences"),
    ]

    operations = [
        migrations.AddField(
            model_name="opening",
            name="has_cash_plays",
            field=models.BooleanField(db_default=True, default=True),
        ),
    ]
