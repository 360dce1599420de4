"""The rules of web analytics as plain functions over frozen values: no input, no output, no clock."""
