"""Changes to logged requests, each the effect of one fix, for replaying the log as if it had been there."""
