-- arriving_from
select from_mark from cell_arrival
