-- count_hits
select count(*) as rows from hit where position > {after} and position <= {up_to}
