"""OpenID Connect by the libraries authlib and joserfc, which are optional."""
