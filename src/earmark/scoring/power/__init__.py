"""How many units of a release it takes to tell two judges apart."""
