"""`make screens`: docs/screens/ anew, from the demo story in the running product."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCREENS = ROOT / "docs" / "screens"
os.environ.setdefault("MEMOIR_HOME", str(ROOT / "var" / "screens"))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # noqa: E402

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth.models import Permission  # noqa: E402
from django.core.management import call_command  # noqa: E402

from accounts.models import User  # noqa: E402
from config.embedded import Home  # noqa: E402
from config.embedded.services import use  # noqa: E402
from memory.border import owner_scope  # noqa: E402
from memory.demo import OWNER_EMAIL  # noqa: E402
from memory.domain.values import Status  # noqa: E402
from memory.models import Agent, Memory, Recall  # noqa: E402
from tests.browsing import give_session, open_browser  # noqa: E402
from tests.product import Product  # noqa: E402

WIDTHS = {1280: 900, 390: 844}
LANGUAGES = {"en": "en-US", "zh": "zh-CN"}


def take_all() -> None:
    """Every page at both widths, in both themes and languages; the first screenful of each."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    owner = User.objects.get(email=OWNER_EMAIL)
    with owner_scope(owner.pk):
        chat = Agent.objects.of(owner.pk).get(name="Chat")
        language = (
            Memory.objects.of(owner).kept().get(key="user.language.primary", status=Status.ACTIVE)
        )
        recall = Recall.objects.of(owner).latest("asked_at")
    admin = User.objects.create_user("admin@memoir.example", name="Ada", is_staff=True)
    admin.user_permissions.add(Permission.objects.get(codename="review_conflicts"))
    pages = {
        "memories": "/",
        "memories-by-month": "/?view=month",
        "memories-as-versions": "/?view=chains",
        "memory": f"/memories/{language.pk}/",
        "review": "/review/",
        "recalls": "/recalls/",
        "recall": f"/recalls/{recall.pk}/",
        "try": f"/recalls/try/?agent={chat.pk}&q=Where+shall+we+eat+tonight%3F",
        "agents": "/agents/",
        "sharing": "/agents/sharing/",
        "activity": "/activity/",
        "data": "/data/",
        "settings": "/settings/",
        "help": "/help/",
    }
    # Who looks at what, signed out first.
    tours = (
        (None, {"entrance": "/"}),
        (owner, pages),
        (admin, {"queue": "/queue/", "queue-overview": "/queue/overview/"}),
    )
    database = settings.DATABASES["default"]["NAME"]
    with Product(database, worker=False) as product, open_browser() as browser:
        for width, height in WIDTHS.items():
            for theme in ("light", "dark"):
                for tongue, locale in LANGUAGES.items():
                    context = browser.new_context(
                        base_url=product.address,
                        viewport={"width": width, "height": height},
                        color_scheme=theme,  # type: ignore[arg-type]
                        locale=locale,
                    )
                    page = context.new_page()
                    for person, shown in tours:
                        if person:
                            give_session(page, person, product.address)
                        for name, path in shown.items():
                            page.goto(path)
                            file = SCREENS / f"{name}-{theme}-{width}-{tongue}.png"
                            page.screenshot(path=str(file))
                    context.close()


def main() -> None:
    home = Home(Path(os.environ["MEMOIR_HOME"]))
    with use(home, "screenshots", lambda message: print(message, file=sys.stderr)):
        call_command("migrate", verbosity=0, interactive=False)
        call_command("collectstatic", verbosity=0, interactive=False)
        call_command("load_demo", stdout=sys.stderr)
        take_all()


if __name__ == "__main__":
    main()
