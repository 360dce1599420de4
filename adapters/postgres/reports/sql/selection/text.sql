-- text
coalesce({column}, '')
