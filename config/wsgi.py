"""What the web server serves, once the border between owners is known to hold."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

from config.guard import refuse_without_border  # noqa: E402  (needs Django to be set up)

refuse_without_border()
