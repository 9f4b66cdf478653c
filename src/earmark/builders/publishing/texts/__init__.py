"""The texts of a published copy, made of one record of facts: card, datasheet, citation, licence, list of changes."""
