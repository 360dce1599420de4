-- one
with {known}, {total}, page as (select message_id, occurrences, sessions from known)
{summaries}
