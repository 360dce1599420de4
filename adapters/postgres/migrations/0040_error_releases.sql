-- The releases in which an error occurred, and when it did so in each (docs/errors/error-groups.md#status).

create index on error_sighting (site_id, fingerprint, release, occurred_at, position);
