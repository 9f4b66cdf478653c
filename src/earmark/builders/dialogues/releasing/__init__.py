"""Turns dialogues that have voices into a release: items, orders, prompts, presentations and histories."""
