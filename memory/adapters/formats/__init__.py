"""Files that hold memories: how they are written, and how strangers' ones are read."""
