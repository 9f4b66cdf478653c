"""What a panel of people said: their sheets, their agreement, the criteria that units fail, and how they rank systems."""
