"""Exports: columns with a codebook, streamed writers, manifests, and the study bundle."""
