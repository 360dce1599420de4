-- members
-- The fingerprints of groups; `owner` is the index of the group.
member as materialized (
    select owner, fingerprint from unnest(%(owners)s::integer[], %(fingerprints)s::text[]) as part (owner, fingerprint)
)
