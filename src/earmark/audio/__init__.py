"""Everything that touches samples: decode, cut, resample, hash, measure."""
