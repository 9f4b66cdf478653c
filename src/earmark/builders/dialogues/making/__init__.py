"""Makes dialogues by a recipe: who works, in which order, what it costs, and what of it is asked again."""
