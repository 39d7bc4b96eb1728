"""The panel's addresses, by noun."""

from django.urls import path

from panel.views import activity, acts, deleting, memories, settings

# /memories/
memory_urls = [
    path("", memories.home, name="memories"),
    path("memories/add/", memories.add, name="add"),
    path("memories/<uuid:memory>/", memories.show_memory, name="memory"),
    path("memories/<uuid:memory>/edit/", memories.edit, name="edit"),
    path("memories/<uuid:memory>/confirm/", acts.confirm, name="confirm"),
    path("memories/<uuid:memory>/deny/", acts.deny, name="deny"),
    path("memories/<uuid:memory>/out-of-date/", acts.mark_as_outdated, name="out_of_date"),
    path("memories/<uuid:memory>/still-true/", acts.mark_as_still_true, name="still_true"),
    path("memories/<uuid:memory>/delete/", acts.delete, name="delete"),
    path("memories/<uuid:memory>/restore/", acts.restore, name="restore"),
]

# What happened, and taking it back
activity_urls = [
    path("activity/", activity.show_activity, name="activity"),
    path("undo/<uuid:gesture>/", acts.undo, name="undo"),
]

# What was deleted
deleting_urls = [
    path("recently-deleted/", deleting.show_deleted, name="deleted"),
    path("clear/", deleting.clear, name="clear"),
]

# The person
settings_urls = [
    path("settings/", settings.show_settings, name="settings"),
    path("settings/memory/", settings.tune, name="tune"),
    path("settings/preview/", settings.preview, name="preview"),
    path("help/", settings.show_help, name="help"),
]

urlpatterns = [*memory_urls, *activity_urls, *deleting_urls, *settings_urls]
