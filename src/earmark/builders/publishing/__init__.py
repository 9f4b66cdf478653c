"""Publishing a release: what may be shipped, and a repository that others can load, cite and verify."""
