"""What users call: functions and classes with typed options, translated for the rooms behind.

Here are names, defaults and translations of options (`options.py`), and nothing that decides or searches.
`qismc/__init__.py` says what of this is public; `docs/api.md` says what is promised of it.
"""
