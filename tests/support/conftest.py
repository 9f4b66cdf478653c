"""What stands here for tests to use is no test."""

collect_ignore = ["toy_family"]
