# One image for web, worker, beat and migrations: docker-compose.yml tells them apart by their command.
FROM python:3.11-slim

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    DJANGO_SETTINGS_MODULE=config.settings \
    MEMOIR_HOME=/var/lib/memoir

RUN useradd --system --user-group --home-dir "$MEMOIR_HOME" --create-home --shell /usr/sbin/nologin memoir
WORKDIR /app

COPY requirements/core.txt requirements/core.txt
RUN pip install --require-hashes --requirement requirements/core.txt

COPY . .
USER memoir
# The static files belong to the image. Nothing is connected to here, so the addresses are made up.
RUN SECRET_KEY=only-for-collecting-static-files-at-build-time DATABASE_URL=postgresql://nobody@nowhere/memoir \
    BROKER_URL=memory:// python manage.py collectstatic --no-input --verbosity 0

EXPOSE 8000
CMD ["gunicorn", "config.wsgi:application", "--config", "python:config.gunicorn", "--bind", "0.0.0.0:8000"]
