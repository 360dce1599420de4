-- are_shown
select to_regclass(%(view)s) is not null as shown
