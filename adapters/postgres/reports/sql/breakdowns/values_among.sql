-- values_among
value = any(%(among)s)
