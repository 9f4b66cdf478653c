"""What can be measured of a clip's sound: level, silence, pitch, pace and spectrum, each figure with its definition."""
