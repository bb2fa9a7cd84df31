"""The cash tables over REST: what is open, who sits, and every tap of dealer and floor."""
