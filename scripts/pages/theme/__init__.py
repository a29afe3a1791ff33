"""Everything that relies on the inner workings of Material for MkDocs, and what each part gains.

`tests/test_theme.py` asks the installed theme what each module needs, and says what to do if a
release has changed it. `docs/decisions/0014-the-site-can-leave-mkdocs.md` has the gains.
"""
