-- digest
sha256(convert_to(%(message)s, 'UTF8'))
