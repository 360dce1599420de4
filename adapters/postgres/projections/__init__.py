"""The projector and the read models that it keeps."""
