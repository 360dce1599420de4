"""The reports as the OpenAPI document describes them: `make openapi` generates these modules."""
