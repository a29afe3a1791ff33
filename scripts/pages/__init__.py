"""Markdown and notebooks as the pages of the site."""
