"""Outgoing requests to addresses that members enter: guarded, bounded, without redirects."""
