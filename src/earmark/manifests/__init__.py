"""What a release is: families, tables, ids, hashes, findings and strict readers."""
