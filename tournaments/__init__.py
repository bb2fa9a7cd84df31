"""Everything that has levels. The cash room comes first; this package keeps its place in the layers."""
