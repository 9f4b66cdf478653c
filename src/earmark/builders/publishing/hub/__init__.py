"""A published copy on the Hugging Face hub, or a server that speaks its protocol: a commit that holds it all, then a tag."""
