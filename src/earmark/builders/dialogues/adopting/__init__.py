"""Takes over dialogues that others have made: reads, measures and reports on them."""
