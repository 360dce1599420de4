-- series
with {selection/selected}, {breakdowns/owners}, {event}
{pieces}
