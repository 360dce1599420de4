-- arrived
drop table if exists cell_arrival
