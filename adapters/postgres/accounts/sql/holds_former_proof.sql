-- holds_former_proof
select exists (select from former_proof where digest = any(%(digests)s::bytea[])) as held
