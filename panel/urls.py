"""The panel's addresses, by noun."""

from django.urls import path

from panel.views import (
    activity,
    acts,
    agents,
    deleting,
    exchange,
    guide,
    jobs,
    many,
    memories,
    one_memory,
    queue,
    queue_many,
    queue_overview,
    recalls,
    review,
    settings,
    sharing,
    topics,
)

# /memories/
memory_urls = [
    path("", memories.home, name="memories"),
    path("memories/add/", memories.add, name="add"),
    path("guide/end/", guide.end_guide, name="end_guide"),
    path("guide/story/", guide.load_story, name="load_story"),
    path("memories/many/", many.act_on_many, name="many"),
    path("memories/<uuid:memory>/", memories.show_memory, name="memory"),
    path("memories/<uuid:memory>/edit/", memories.edit, name="edit"),
    path("memories/<uuid:memory>/confirm/", acts.confirm, name="confirm"),
    path("memories/<uuid:memory>/deny/", acts.deny, name="deny"),
    path("memories/<uuid:memory>/out-of-date/", acts.mark_as_outdated, name="out_of_date"),
    path("memories/<uuid:memory>/still-true/", acts.mark_as_still_true, name="still_true"),
    path("memories/<uuid:memory>/delete/", acts.delete, name="delete"),
    path("memories/<uuid:memory>/restore/", acts.restore, name="restore"),
    path("memories/<uuid:memory>/pin/", one_memory.pin, name="pin"),
    path("memories/<uuid:memory>/unpin/", one_memory.unpin, name="unpin"),
    path("memories/<uuid:memory>/archive/", one_memory.archive, name="archive"),
    path("memories/<uuid:memory>/unarchive/", one_memory.unarchive, name="unarchive"),
    path("memories/<uuid:memory>/share/", one_memory.share, name="share"),
    path("memories/<uuid:memory>/words/", one_memory.bring_words_back, name="words_back"),
    path("memories/<uuid:memory>/true-again/", one_memory.reinstate, name="reinstate"),
]

# Who acts for the owner, and what each may see
agent_urls = [
    path("agents/", agents.show_agents, name="agents"),
    path("agents/connect/", agents.connect, name="connect"),
    path("agents/pause/", agents.pause_all, name="pause_all"),
    path("agents/sharing/", sharing.show_sharing, name="sharing"),
    path("agents/sharing/preview/", sharing.preview, name="sharing_preview"),
    path("agents/sharing/grant/", sharing.grant, name="grant"),
    path("agents/sharing/<uuid:grant>/revoke/", sharing.revoke, name="revoke_grant"),
    path("agents/<uuid:agent>/", agents.show_agent, name="agent"),
    path("agents/<uuid:agent>/see/", agents.see_as, name="see_as"),
    path("agents/<uuid:agent>/pause/", agents.pause, name="pause"),
    path("agents/<uuid:agent>/outside/", agents.allow_outside, name="allow_outside"),
    path("agents/<uuid:agent>/projects/", agents.make_project, name="make_project"),
    path("agents/<uuid:agent>/projects/<uuid:project>/", agents.place, name="place"),
    path("agents/<uuid:agent>/keys/", agents.make_key, name="make_key"),
    path("agents/<uuid:agent>/keys/<uuid:key>/rotate/", agents.rotate, name="rotate_key"),
    path("agents/<uuid:agent>/keys/<uuid:key>/revoke/", agents.revoke, name="revoke_key"),
]

# What memories are about
topic_urls = [
    path("topics/", topics.show_topics, name="topics"),
    path("topics/rename/", topics.rename, name="topic_rename"),
    path("topics/values/", topics.set_values, name="topic_values"),
]

# What waits for the owner
review_urls = [
    path("review/", review.show_review, name="review"),
    path("review/<uuid:card>/", review.show_review, name="card"),
    path("review/<uuid:card>/answer/", review.answer_card, name="answer"),
]

# What waits for all owners, for their admins
queue_urls = [
    path("queue/", queue.show_queue, name="queue"),
    path("queue/overview/", queue_overview.show_overview, name="queue_overview"),
    path("queue/many/", queue_many.decide_together, name="queue_many"),
    path("queue/<uuid:entry>/", queue.show_entry, name="queue_entry"),
    path("queue/<uuid:entry>/claim/", queue.claim, name="queue_claim"),
    path("queue/<uuid:entry>/hand-back/", queue.release, name="queue_release"),
    path("queue/<uuid:entry>/look/", queue.look, name="queue_look"),
    path("queue/<uuid:entry>/settle/", queue.settle, name="queue_settle"),
    path("queue/<uuid:entry>/escalate/", queue.pass_on, name="queue_pass_on"),
    path("queue/<uuid:entry>/take-back/", queue.take_entry_back, name="queue_take_back"),
]

# What happened, and taking it back
activity_urls = [
    path("activity/", activity.show_activity, name="activity"),
    path("undo/<uuid:gesture>/", acts.undo, name="undo"),
]

# What agents asked
recall_urls = [
    path("recalls/", recalls.show_recalls, name="recalls"),
    path("recalls/try/", recalls.try_recall, name="try"),
    path("recalls/<uuid:recall>/", recalls.show_recall, name="recall"),
    path("recalls/<uuid:recall>/told/<uuid:memory>/", recalls.report, name="report"),
]

# What was deleted
deleting_urls = [
    path("recently-deleted/", deleting.show_deleted, name="deleted"),
    path("recently-deleted/<uuid:memory>/erase/", deleting.erase, name="erase_now"),
    path("clear/", deleting.clear, name="clear"),
]

# Taking memories along and bringing them back
data_urls = [
    path("data/", exchange.show_data, name="data"),
    path("data/export/", exchange.export, name="export"),
    path("data/import/", exchange.bring, name="import"),
    path("data/import/<uuid:parcel>/", exchange.show_import, name="import_shown"),
    path("data/import/<uuid:parcel>/run/", exchange.take_in, name="import_run"),
    path("data/files/<uuid:parcel>/", exchange.fetch, name="fetch"),
    path("data/files/<uuid:parcel>/discard/", exchange.discard, name="discard"),
    path("data/not-again/", exchange.show_tombstones, name="tombstones"),
    path("data/not-again/<uuid:tombstone>/allow/", exchange.allow, name="allow_again"),
    path("jobs/<uuid:job>/", jobs.show_job, name="job"),
    path("jobs/<uuid:job>/stop/", jobs.stop, name="stop_job"),
    path("jobs/<uuid:job>/retry/", jobs.retry, name="retry_job"),
]

# The person
settings_urls = [
    path("settings/", settings.show_settings, name="settings"),
    path("settings/memory/", settings.tune, name="tune"),
    path("settings/delete-account/", deleting.delete_account, name="delete_account"),
    path("settings/preview/", settings.preview, name="preview"),
    path("help/", settings.show_help, name="help"),
]

urlpatterns = [
    *memory_urls,
    *topic_urls,
    *review_urls,
    *recall_urls,
    *queue_urls,
    *agent_urls,
    *activity_urls,
    *deleting_urls,
    *data_urls,
    *settings_urls,
]
