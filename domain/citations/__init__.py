"""Citations: the positions that an answer is made from, and how later questions name them."""
