"""Numbers on the pages: the expressions, their values, and where they stand."""
