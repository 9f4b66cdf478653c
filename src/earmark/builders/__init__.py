"""How a release is made: corpus readers, sampling, segments, and one builder per family."""
