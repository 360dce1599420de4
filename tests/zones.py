"""Time zones of every kind: quarter hours, small and large clock changes, days without a midnight."""

ZONES = [
    "UTC",
    "Africa/Cairo",
    "Africa/Casablanca",
    "America/Caracas",
    "America/New_York",
    "America/Sao_Paulo",
    "America/St_Johns",
    "Antarctica/Troll",
    "Asia/Beirut",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Europe/Berlin",
    "Pacific/Apia",
]
