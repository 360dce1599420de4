-- attribute
coalesce({column}, '')
