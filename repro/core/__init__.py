"""Code shared by the methods: checks, distances, neighbours, optimisers, base estimator."""
