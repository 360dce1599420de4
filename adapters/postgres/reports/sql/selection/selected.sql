-- selected
selected as materialized ({sessions})
