"""Names of the event streams, one for each aggregate."""


def organization_stream(organization_id: str) -> str:
    """Return the stream of an organization."""
    return f"organization-{organization_id}"


def site_stream(site_id: int) -> str:
    """Return the stream of a site."""
    return f"site-{site_id}"


def error_groups_stream(site_id: int) -> str:
    """Return the stream of the decisions about the groups of errors of a site."""
    return f"errors-{site_id}"


def annotations_stream(site_id: int) -> str:
    """Return the stream of the annotations of a site."""
    return f"annotations-{site_id}"


def alerts_stream(site_id: int) -> str:
    """Return the stream of the alert rules of a site and of their targets."""
    return f"alerts-{site_id}"


def firings_stream(site_id: int, rule: int) -> str:
    """Return the stream of the firings of an alert rule."""
    return f"firings-{site_id}-{rule}"


def goal_stream(goal_id: int) -> str:
    """Return the stream of a goal."""
    return f"goal-{goal_id}"


def funnel_stream(funnel_id: int) -> str:
    """Return the stream of a funnel."""
    return f"funnel-{funnel_id}"


def api_key_stream(key_id: int) -> str:
    """Return the stream of an API key."""
    return f"apikey-{key_id}"


def user_stream(user_id: str) -> str:
    """Return the stream of a user."""
    return f"user-{user_id}"


def cell_stream(name: str) -> str:
    """Return the stream of a cell."""
    return f"cell-{name}"


def site_streams(site_id: int) -> list[str]:
    """Return the streams that a site always has; those of its goals are found by their content."""
    return [
        site_stream(site_id),
        error_groups_stream(site_id),
        annotations_stream(site_id),
        alerts_stream(site_id),
    ]


def category(stream: str) -> str:
    """Return the kind of aggregate that a stream belongs to, such as organization, site, errors or goal."""
    return stream.partition("-")[0]


def identifier_of(stream: str) -> str:
    """Return the identifier of the aggregate that a stream belongs to."""
    return stream.partition("-")[2]
