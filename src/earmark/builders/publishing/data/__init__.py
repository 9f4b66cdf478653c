"""What others load of a published copy: clips in shards, items of each facet, recipes of clips, the answers if they are open."""
