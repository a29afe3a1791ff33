"""Small errors planted in the code, one at a time: the tests must notice each of them."""
