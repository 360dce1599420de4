"""Names of the event streams, one for each aggregate."""


def organization_stream(organization_id: str) -> str:
    """Return the stream of an organization."""
    return f"organization-{organization_id}"


def site_stream(site_id: int) -> str:
    """Return the stream of a site."""
    return f"site-{site_id}"


def goal_stream(goal_id: int) -> str:
    """Return the stream of a goal."""
    return f"goal-{goal_id}"


def api_key_stream(key_id: int) -> str:
    """Return the stream of an API key."""
    return f"apikey-{key_id}"


def user_stream(user_id: str) -> str:
    """Return the stream of a user."""
    return f"user-{user_id}"


def category(stream: str) -> str:
    """Return the kind of aggregate that a stream belongs to: organization, site, goal, apikey or user."""
    return stream.partition("-")[0]
