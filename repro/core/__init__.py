"""What the methods share: checks, distances, neighbours, optimisers, the base of the estimators."""
