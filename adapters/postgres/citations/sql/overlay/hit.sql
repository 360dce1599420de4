-- hit
select * from {schema}.hit where site_id = {site_id} and position <= {traffic}
