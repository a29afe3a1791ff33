"""Figures as files, and the pictures that the pages show."""
