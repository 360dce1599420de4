-- add_former_proofs
insert into former_proof (digest)
select unnest(%(digests)s::bytea[])
on conflict do nothing
