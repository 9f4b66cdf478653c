"""How the dialogues family is marked."""
