-- forget_outcomes
delete from ingestion_outcome
where ctid = any(array(select ctid from ingestion_outcome where quarter < %(before)s limit 10000))
