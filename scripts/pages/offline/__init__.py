"""The copy of the site that opens without a server: one zip, made from the built site."""
