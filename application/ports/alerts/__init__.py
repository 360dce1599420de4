"""Ports of alerts: where rules stand, the series that they need, and requests to targets."""
