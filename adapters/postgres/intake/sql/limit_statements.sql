-- limit_statements
select set_config('statement_timeout', %(milliseconds)s, false)
