-- enqueue_decoy
-- The parameters of `enqueue` travel here too; only their lengths are looked at, so that nothing of them is stored.
insert into mail (mail_id, kind, queued_at, finished_at, outcome)
select %(mail_id)s, %(kind)s, %(at)s, %(at)s, 'void'
where octet_length(concat(
    %(user_id)s::text, %(recipient)s::text, %(subject)s::text, %(text)s::text, %(html)s::text, %(unsubscribe_url)s::text,
    %(useless_after)s::timestamptz
)) > 0
on conflict (mail_id) do nothing
