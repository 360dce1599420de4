-- piece_of_run
when {at} < {until} then {first} + ({at} - {since}) // {length}
