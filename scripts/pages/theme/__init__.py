"""Everything that relies on the inner workings of Material for MkDocs, and what each part gains.

`docs/decisions/0014-the-site-can-leave-mkdocs.md` has the gains, and what to do if a release has
changed what a part needs.
"""
