-- put_sign
insert into {schema}.cell_moved (from_mark, place, mark) values (%(from_mark)s, %(place)s, %(mark)s)
