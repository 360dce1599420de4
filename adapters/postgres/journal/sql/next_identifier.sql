-- next_identifier
select nextval(%(sequence)s::regclass) as id
