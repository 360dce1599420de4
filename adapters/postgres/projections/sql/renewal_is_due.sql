-- renewal_is_due
select exists (select from projection_checkpoint where name = 'reports' and sessions = 1) as due
