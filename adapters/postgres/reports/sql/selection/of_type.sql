-- of_type
hit.type = {type}
