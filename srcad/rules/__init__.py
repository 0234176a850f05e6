"""The derivative of each primitive, forward and reverse side by side; one file a topic."""
