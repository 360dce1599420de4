"""Languages by their catalogues, and by what CLDR knows of them (docs/internals/languages.md)."""
