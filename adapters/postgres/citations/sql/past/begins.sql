-- begins
-- Whether a run begins at a time, after the one before of the same visitor.
(
    before is null or at > before + interval '30 minutes'
    or day_of(before) < day_of(at) and exists (
        select from session_mark
        where session_mark.site_id = %(site_id)s and session_mark.visitor_id = followed.visitor_id
            and cutoff > before and cutoff <= at
    )
)
