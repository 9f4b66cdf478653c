"""How predictions are marked: submissions, decisions, metrics and reports. Nothing here touches audio."""
