"""Makes releases of the dialogues family: scenarios, scripts, tones and voices, or dialogues that others have made."""
