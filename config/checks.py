"""System checks for settings that must agree with each other."""
