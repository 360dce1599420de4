-- that_message
digest = {digest}
