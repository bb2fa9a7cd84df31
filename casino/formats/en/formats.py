"""English as a European room writes it: the day comes first."""

DATE_FORMAT = "j F Y"
SHORT_DATE_FORMAT = "j.n.Y"
DATETIME_FORMAT = "j F Y, H:i"
SHORT_DATETIME_FORMAT = "j.n.Y H:i"
TIME_FORMAT = "H:i"
