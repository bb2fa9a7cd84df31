"""
Settings of the house. Importing them has no side effect: no server starts, no file is written.

What may differ from one house to another comes from the environment:

    DATABASE_URL, REDIS_URL   servers to use; unset: the embedded ones under `BRUSH_DATA_DIR`
    BRUSH_OWNER_DATABASE_URL  the same database as its owner, for `migrate` and backups alone (casino/grants.py)
    BRUSH_SEALER_DATABASE_URL the same database as the sealer, which alone adds seals (casino/audit/sealing)
    BRUSH_SEALER_DIR          where the sealer keeps its key; default: `sealer` in the data folder
    BRUSH_SEALS_FILE          a file to which each seal is added too; default: `seals.jsonl` beside the key
    BRUSH_SEALS_SYSLOG        another host that gets each seal: "udp://logs.example:514", "tcp://..."; unset: none
    BRUSH_SEALS_S3            a bucket with object lock that gets each seal: "https://s3.example/bucket/folder?days=3653"
    BRUSH_SEALS_S3_KEY        its key, "ID:SECRET": the sealer's may put objects, that of who verifies lists them
    BRUSH_DATA_DIR            where the embedded servers and the secret key live (default: var/)
    BRUSH_SECRET_KEY          else the file `secret-key` in the data folder, made by `make run`
    BRUSH_DEBUG=1             tracebacks in the browser; off unless asked
    BRUSH_ALLOWED_HOSTS       comma-separated; default: this machine's own names
    BRUSH_PHONE_URL           where players' phones reach this house, "https://brush.example"; unset: no phones
    BRUSH_TIME_ZONE           whose hours a new room keeps (`open_room --time-zone`); default: Europe/Helsinki
    BRUSH_HTTPS=1             behind TLS: secure cookies, HSTS, redirects
    BRUSH_HOST                the address that `make run` listens on; default: 127.0.0.1
    BRUSH_REDIS_PREFIX        keys and channels of this house in a shared Redis
    BRUSH_POOL_SIZE           database connections of one process
"""

import os
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from casino import embedded
from casino.reach import Reach

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(os.environ.get("BRUSH_DATA_DIR", BASE_DIR / "var"))
SEALER_DIR = Path(os.environ.get("BRUSH_SEALER_DIR", DATA_DIR / "sealer"))
SEALS_FILE = Path(os.environ.get("BRUSH_SEALS_FILE", SEALER_DIR / "seals.jsonl"))
SEALS_SYSLOG = os.environ.get("BRUSH_SEALS_SYSLOG", "")
SEALS_S3 = os.environ.get("BRUSH_SEALS_S3", "")
SEALS_S3_KEY = os.environ.get("BRUSH_SEALS_S3_KEY", "")

# A screen waits eight seconds for its answer; "try again" must come before it gives up.
POOL_SECONDS_MAX = 6


def _secret_key() -> str:
    if key := os.environ.get("BRUSH_SECRET_KEY"):
        return key
    kept = DATA_DIR / "secret-key"
    # Tools that never serve anybody (linters, makemigrations) run before the first `make run` made a key;
    # whoever serves refuses this one (casino.serving).
    return kept.read_text().strip() if kept.is_file() else "django-insecure-and-never-used-to-serve"


def database_at(url: str) -> dict[str, Any]:
    """Return Django's settings of the database at a URL."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "casino.database",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(query.pop("host", "") or parts.hostname or ""),
        "PORT": str(query.pop("port", "") or parts.port or ""),
        # At a request's end the connection goes back to the pool; kept, each thread would hold one for good.
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            **query,
            "pool": {
                "min_size": 1,
                "max_size": int(os.environ.get("BRUSH_POOL_SIZE", "16")),
                "timeout": POOL_SECONDS_MAX,
            },
            "server_side_binding": True,
            # What a connection has sent so often is prepared there: planning costs more than carrying it out.
            "prepare_threshold": 2,
            # How long a transaction may dawdle. Whoever raises these raises how far back a hub looks for events that
            # were committed late (OVERLAP_SECONDS in `casino/live/outbox.py`), or screens miss some.
            "options": "-c lock_timeout=3000 -c idle_in_transaction_session_timeout=10000",
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            # Keepalives are of idle connections; this one is of what was sent and nobody confirmed, in ms.
            "tcp_user_timeout": 25_000,
        },
    }


SECRET_KEY = _secret_key()
DEBUG = os.environ.get("BRUSH_DEBUG") == "1"
_reach = Reach.of(os.environ)
HTTPS = _reach.is_https
ALLOWED_HOSTS = list(_reach.names)
PHONE_URL = _reach.phone_url
# Which setting lets others than this machine in: "BRUSH_HTTPS=1"; "" where none does.
OPEN_BY = _reach.beyond_this_machine
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS if HTTPS and host != "*"]

DATABASES = {"default": database_at(os.environ.get("DATABASE_URL") or embedded.database_url(DATA_DIR))}
REDIS_URL = os.environ.get("REDIS_URL") or embedded.redis_url(DATA_DIR)
REDIS_PREFIX = os.environ.get("BRUSH_REDIS_PREFIX", "brush")

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "channels",
    "csp",
    "django_htmx",
    "pgtrigger",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "casino",
    "casino.rooms",
    "casino.live",
    "casino.audit",
    "casino.commands",
    "casino.people",
    "casino.ledger",
    "casino.cage",
    "tables",
    "casino.boxes",
    "casino.waiting",
    "jackpot",
    "casino.promotions",
    "casino.paper",
    "casino.floor",
    "casino.lobby",
    "casino.reports",
    "casino.compliance",
]

# The first is the outermost. Static files are answered before anything asks for a session, so they cost no query; a
# page that anything below refuses is still compressed, has the policy, and is one line of the log under its id.
MIDDLEWARE = [
    # Outside of all: what another one refuses, and what breaks in it, has an id and its line too.
    "casino.logs.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "casino.compression.PageCompression",
    # Around all that may refuse a request: those pages have it too.
    "casino.content_policy.OnePolicy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    # Before CSRF and the sign-in: a method that an address does not take is said to everybody alike.
    "casino.commands.methods.MethodMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    # After the session and the person in it, and after LocaleMiddleware, whose language the room's replaces.
    "casino.people.middleware.SignedInMiddleware",
    # Innermost: it sees what views raise alone; what is refused further out answers for itself (`refused`), and a
    # refusal's page needs to know who asks.
    "casino.commands.middleware.RefusalMiddleware",
]

ROOT_URLCONF = "casino.urls"
ASGI_APPLICATION = "casino.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "casino.people.context.signed_in",
            ],
            "builtins": ["casino.people.templatetags.names"],
        },
    },
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "people.Staff"
# A username is unique within its room, and RoomBackend asks for both.
SILENCED_SYSTEM_CHECKS = ["auth.W004"]
AUTHENTICATION_BACKENDS = ["casino.people.backends.RoomBackend"]
PASSWORD_HASHERS = ["casino.people.hashing.HouseHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "/sign-in/"
SESSION_COOKIE_AGE = 60 * 60 * 14
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = False
# As long as browsers keep one: a device speaks its language after each sign-in, and after a night switched off.
LANGUAGE_COOKIE_AGE = 400 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "casino.people.views.csrf_failure"

LANGUAGE_CODE = "en"
FORMAT_MODULE_PATH = "casino.formats"
LANGUAGES = [
    ("en", _("English")),
    ("fi", _("Finnish")),
    ("da", _("Danish")),
    ("cs", _("Czech")),
    ("sv", _("Swedish")),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
# By which of the shipped books a new room plays, the demo room too, where nobody says another (`open_room --book`).
ROOM_BOOK = "helsinki"
# Where the room stands: every hour on a screen, a slip and in the log.
TIME_ZONE = os.environ.get("BRUSH_TIME_ZONE", "Europe/Helsinki")

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "casino.static_files.HouseFiles"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
# Under a state's digest (casino/static_files.py) a file never changes.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/[0-9a-f]{16}/"
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    # Health checks come from inside the house, over plain HTTP.
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    LANGUAGE_COOKIE_SECURE = True

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "casino.people.api_auth.DeviceTokenAuthentication",
        "casino.people.api_auth.CookieAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["casino.people.api_auth.MayCall"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["casino.rest.PlainJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "casino.commands.problems.problem_response",
    "DEFAULT_PAGINATION_CLASS": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Brush",
    "DESCRIPTION": "What a poker room's own devices may ask of Brush.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "ENUM_NAME_OVERRIDES": {
        "SlipStatus": "casino.cage.models.Slip.Status",
        "SlipKind": "casino.cage.models.Slip.Kind",
        "FillStatus": "casino.cage.models_fills.FillSlip.Status",
        "FillKind": "casino.cage.models_fills.FillSlip.Kind",
        "FillReason": "casino.cage.models_fills.FillSlip.Reason",
        "PaymentMethod": "casino.cage.models.Slip.Method",
        "BuyInMethod": ["cash", "card", "deposit", "voucher", "foreign"],
        "CashOutMethod": ["cash", "deposit"],
        "DepositMethod": ["cash", "card"],
        "VoidReason": "casino.cage.models.Slip.VoidReason",
        "FoundWhat": "casino.cage.models.Unclaimed.What",
        "VaultGives": ["cash", "chips"],
        "VoucherOrigin": "casino.cage.models.Voucher.Origin",
        "VoucherVoidReason": "casino.cage.models.Voucher.VoidReason",
        "ExchangeReason": "casino.cage.models.NotesExchanged.Reason",
        "RefusedFor": "casino.cage.models.RefusedRequest.Reason",
        "MoneyWith": "casino.cage.models.RequestMoney.With",
        "ChipsWith": "casino.cage.models.PaidChips.With",
        "ChipsStep": ["player", "runner", "cage", "not_there"],
        "MoneyWithAtFirst": ["player", "dealer", "runner"],
        "HandStatus": "tables.models.Hand.Status",
        "RedealReason": ["misdeal", "void"],
        "HandVoidReason": ["logged_twice", "void", "wrong_table"],
        "HandCorrectionReason": ["side_pots", "was_no_flop", "wrong_pot", "wrong_taken", "wrong_winner"],
        "ToDoKind": "tables.models.ToDo.Kind",
        "PlaceKind": "casino.rooms.models.Place.Kind",
        "EntryKind": "tables.models.Seating.EntryKind",
        "BoxNumberReason": "casino.boxes.models.BoxCount.Reason",
        "DeckWhy": ["push", "fault", "floor"],
        "SignerOverrule": ["gone_home", "manager", "not_signed_in"],
        "SeatOverrule": ["keeps_games_going", "manager", "not_there", "peace", "player_wish"],
        "WayIn": ["waits", "posts", "straddles"],
        "MissedBlinds": "tables.models.Seating.MissedBlinds",
        "BettingStructure": "tables.models.Game.Structure",
        "DayStage": "casino.rooms.models.GamingDay.Stage",
        "ClosingStage": "casino.cage.models.CarriedItem.Stage",
        "CarryReason": "casino.cage.models.CarriedItem.Reason",
        "FindingKind": "casino.compliance.models.ComplianceNote.Kind",
        "FindingMark": "casino.compliance.models.ComplianceNote.Mark",
        "ComplianceReason": ["books", "told", "authority"],
        "Role": ["manager", "floor", "dealer", "cashier", "auditor", "compliance"],
    },
}

LOGGING_CONFIG = None
from casino import logs  # noqa: E402

logs.configure(as_json=os.environ.get("BRUSH_LOGS", "json") == "json")
