"""Ways to sign in besides the operator's link: links by mail, and the limits of attempts."""
