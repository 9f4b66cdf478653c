"""The families that come with Earmark, one frozen record each; another package adds its own by entry point."""
