"""The build: stages, and the loop over them. `python -m scripts.build --help`."""
