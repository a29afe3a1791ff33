"""Check other implementations against the exact encodings, and name what is wrong with them."""
