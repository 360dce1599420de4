"""x."""
class PostgresTrafficReports:
    def __init__(self, c): pass
