"""What makes a release sound: schemas, registered invariants, and strategies for other people's tests."""
