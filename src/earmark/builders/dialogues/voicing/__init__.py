"""Speaks dialogues until they pass: takes, what is heard in them, the gate, the words check, and what is reported of it."""
