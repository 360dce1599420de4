"""Where visitors come from: referrers, campaigns and channels."""
