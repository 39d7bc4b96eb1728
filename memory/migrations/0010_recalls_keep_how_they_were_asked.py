"""A recall keeps how it was asked, so that it can be asked again; lists are read by hour."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0009_files_come_and_go"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="recall",
            name="options",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddIndex(
            model_name="reading",
            index=models.Index(fields=["owner", "-hour"], name="reading_owner_recent"),
        ),
    ]
