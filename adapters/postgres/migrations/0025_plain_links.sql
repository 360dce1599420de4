-- Keys of private links that are not sealed yet: those of an earlier version, until the service has replaced them.

create index event_plain_link on event (position) where type = 'private-link-generated' and schema_version = 0;
