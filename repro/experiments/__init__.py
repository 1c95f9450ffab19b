"""What belongs to one experiment alone, a module per notebook."""
