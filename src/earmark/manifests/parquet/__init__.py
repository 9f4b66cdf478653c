"""Parquet files of strangers: how large they come to be is known from their pages before anything is read."""
