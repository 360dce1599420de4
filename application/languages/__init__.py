"""The languages of pages, mails and alerts (docs/internals/languages.md)."""
