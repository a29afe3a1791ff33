"""Read what a user has: the arrays of a file by their names, and an array as a table."""
