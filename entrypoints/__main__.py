"""`python -m footfall.entrypoints` is the command `footfall`."""

from footfall.entrypoints import main

main()
