"""Two machines side by side: what differs between a box that works and one that does not."""
