"""Panels of people: which items they rate, drawn under quotas, and the sheets they rate them on."""
