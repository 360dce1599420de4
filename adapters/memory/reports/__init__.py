"""Reports in memory: the functions of the domain over lists."""
