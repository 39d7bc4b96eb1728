"""Whoever is on a first visit is offered three steps."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_what_touches_signing_in_is_written_down")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="guided_since",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
