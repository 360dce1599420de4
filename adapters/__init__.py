"""The outside world behind the ports: stores, frameworks and files, each adapter for itself."""
