"""Annotations of a site: texts at a time, and marks of its deploys."""
