"""Every setting, from the environment. docs/configuration.md lists them; a test compares the two.

Without DATABASE_URL Memoir runs on the database and broker it brings along ("embedded"): their
addresses and the secret key then come from MEMOIR_HOME.
"""

import os
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import dj_database_url
import structlog
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _
from environs import FileAwareEnv, validate

from config import caches
from config.embedded import addresses

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]["version"]

env = FileAwareEnv(eager=False)

# -- Where things are ------------------------------------------------------------------------------

MEMOIR_HOME = Path(env.str("MEMOIR_HOME", "") or BASE_DIR / "var").absolute()
MEMOIR_HOST = env.str("MEMOIR_HOST", "127.0.0.1")
MEMOIR_PORT = env.int("MEMOIR_PORT", 8000, validate=validate.Range(min=1, max=65535))
MEMOIR_DEMO = env.bool("MEMOIR_DEMO", True)
MEMOIR_BASE_URL = (env.str("MEMOIR_BASE_URL", "") or f"http://127.0.0.1:{MEMOIR_PORT}").rstrip("/")
MEMOIR_TRUSTED_PROXIES = env.int("MEMOIR_TRUSTED_PROXIES", 0, validate=validate.Range(min=0))
MEMOIR_LOG_LEVEL = env.str(
    "MEMOIR_LOG_LEVEL", "INFO", validate=validate.OneOf(["DEBUG", "INFO", "WARNING", "ERROR"])
)
DEBUG = env.bool("DEBUG", False)

DATABASE_URL = env.str("DATABASE_URL", "")
EMBEDDED = not DATABASE_URL
if EMBEDDED:
    _services = addresses(MEMOIR_HOME)
    DATABASE_SCHEMA_URL = env.str("DATABASE_SCHEMA_URL", "") or _services.database_schema_url
    BROKER_URL = env.str("BROKER_URL", "") or _services.broker_url
    SECRET_KEY = env.str("SECRET_KEY", "") or _services.secret_key
    DATABASES = {"default": dj_database_url.parse(_services.database_url)}
else:
    # Migrations and backups alone may own tables; web and worker never get this address.
    DATABASE_SCHEMA_URL = env.str("DATABASE_SCHEMA_URL", "")
    BROKER_URL = env.str("BROKER_URL")
    SECRET_KEY = env.str("SECRET_KEY", validate=validate.Length(min=32))
    DATABASES = {"default": dj_database_url.parse(DATABASE_URL)}
if DATABASE_SCHEMA_URL:
    DATABASES["schema"] = dj_database_url.parse(DATABASE_SCHEMA_URL)

EMBEDDING_URL = env.str("EMBEDDING_URL", "")
EMBEDDING_MODEL = env.str("EMBEDDING_MODEL", "")
EMBEDDING_API_KEY = env.str("EMBEDDING_API_KEY", "")
LLM_URL = env.str("LLM_URL", "")
LLM_MODEL = env.str("LLM_MODEL", "")
LLM_API_KEY = env.str("LLM_API_KEY", "")
# The numbers memories live by on this site, where they differ from Memoir's; owners may tune them.
MEMOIR_POLICY = env.json("MEMOIR_POLICY", {}, validate=lambda value: isinstance(value, dict))
# What all the questions of one request, and of one conversation in the background, may take.
MEMOIR_JUDGE_SECONDS = env.float("MEMOIR_JUDGE_SECONDS", 2.0, validate=validate.Range(0.1, 30.0))
MEMOIR_JUDGE_JOB_SECONDS = env.float(
    "MEMOIR_JUDGE_JOB_SECONDS", 30.0, validate=validate.Range(0.1, 600.0)
)
MEMOIR_JUDGE_TOKENS_A_DAY = env.int(
    "MEMOIR_JUDGE_TOKENS_A_DAY", 200_000, validate=validate.Range(min=0)
)

# How often one key may be used, and how often at once. 0: as often as it likes.
MEMOIR_REQUESTS_A_MINUTE = env.int("MEMOIR_REQUESTS_A_MINUTE", 600, validate=validate.Range(min=0))
MEMOIR_REQUESTS_BURST = env.int("MEMOIR_REQUESTS_BURST", 100, validate=validate.Range(min=1))

# `manage.py mcp`: whose key it speaks with; and where others reach it over HTTP.
MEMOIR_KEY = env.str("MEMOIR_KEY", "")
MEMOIR_MCP_URL = env.str("MEMOIR_MCP_URL", "").rstrip("/")

EMAIL_URL = env.str("EMAIL_URL", "")
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", "Memoir <memoir@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# A misspelt name of ours must stop the start, not turn a setting off.
_known = {name for name in globals() if name.startswith("MEMOIR_")}
_unknown = sorted(
    name
    for name in os.environ
    if name.startswith("MEMOIR_") and name.removesuffix("_FILE") not in _known
)
if _unknown:
    raise SystemExit(f"memoir: unknown setting {', '.join(_unknown)}; see docs/configuration.md.")

env.seal()

# -- The database ----------------------------------------------------------------------------------

for _database in DATABASES.values():
    _database["ATOMIC_REQUESTS"] = False
    _database["CONN_MAX_AGE"] = 60
    _database["CONN_HEALTH_CHECKS"] = True
    _database.setdefault("OPTIONS", {}).setdefault("connect_timeout", 5)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# -- What is installed -----------------------------------------------------------------------------

INSTALLED_APPS = [
    "config",
    "panel",
    "memory",
    "accounts",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "template_partials",
    "ninja",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_permissions_policy.PermissionsPolicyMiddleware",
    "config.middleware.BoundaryMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "panel.middleware.HtmxResponseMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "panel.middleware.PreferencesMiddleware",
    "panel.middleware.SignInMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# -- People ----------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "account_login"

ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
# Mandatory, so that a known and an unknown address are answered alike.
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
# Whoever changes how one signs in: the person hears of it at the address that was good before.
ACCOUNT_EMAIL_NOTIFICATIONS = True
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Memoir"
# Clocks of phones are off by some seconds.
MFA_TOTP_TOLERANCE = 1
# Browsers allow passkeys over plain http on localhost alone.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = urlsplit(MEMOIR_BASE_URL).scheme != "https"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_DEFAULT_HTTP_PROTOCOL = urlsplit(MEMOIR_BASE_URL).scheme
ALLAUTH_TRUSTED_PROXY_COUNT = MEMOIR_TRUSTED_PROXIES

# Failed sign-ins are counted for all processes together.
CACHES = {"default": caches.settings_for(BROKER_URL)}

if EMAIL_URL:
    vars().update(env.dj_email_url("EMAIL_URL"))
else:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = MEMOIR_HOME / "mail"

# -- The web's own dangers -------------------------------------------------------------------------

_public = urlsplit(MEMOIR_BASE_URL)
HTTPS = _public.scheme == "https"
ALLOWED_HOSTS = [_public.hostname or "127.0.0.1"]
if not HTTPS:
    ALLOWED_HOSTS += ["127.0.0.1", "localhost", "[::1]"]
CSRF_TRUSTED_ORIGINS = [f"{_public.scheme}://{_public.netloc}"]
CSRF_FAILURE_VIEW = "panel.views.errors.csrf_failure"

# `__Host-`, Secure and HSTS only when served over https: Safari drops such cookies on plain http.
SESSION_COOKIE_NAME = "__Host-session" if HTTPS else "session"
CSRF_COOKIE_NAME = "__Host-csrf" if HTTPS else "csrf"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^api/v1/health$"]
if MEMOIR_TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
PERMISSIONS_POLICY: dict[str, list[str]] = {
    name: []
    for name in ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")
}

# -- Words, times, files ---------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_THOUSAND_SEPARATOR = True
FORMAT_MODULE_PATH = "config.formats"
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = MEMOIR_HOME / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# -- Work in the background ------------------------------------------------------------------------
# The job row in PostgreSQL is the queue; a message is only a nudge, so none is worth waiting for.

CELERY_BROKER_URL = BROKER_URL
CELERY_TIMEZONE = "UTC"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 1000
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "max_retries": 0,
    "interval_start": 0,
    "interval_step": 0,
    "interval_max": 0,
    "socket_timeout": 2,
}
CELERY_BEAT_SCHEDULE_FILENAME = str(MEMOIR_HOME / "beat-schedule")
CELERY_BEAT_SCHEDULE = {
    "sweep the queue": {"task": "memory.tasks.sweep_jobs", "schedule": 10.0},
    "draw spot checks": {"task": "memory.tasks.draw_spot_checks", "schedule": 3600.0},
    "erase what is over": {"task": "memory.tasks.expire", "schedule": 3600.0},
    "sweep the memories": {"task": "memory.tasks.sweep_memories", "schedule": crontab(minute="17")},
    "reflect": {"task": "memory.tasks.reflect", "schedule": crontab(minute="41", hour="3")},
}

# -- Logs ------------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["stderr"], "level": MEMOIR_LOG_LEVEL},
}
# Events with names and ids, never words, through the handlers above.
structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.filter_by_level,
        structlog.processors.format_exc_info,
        structlog.processors.KeyValueRenderer(key_order=["event"]),
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)
