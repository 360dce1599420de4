-- begin_import
insert into hit_import (site_id, source, position) values (%(site_id)s, %(source)s, 0) on conflict do nothing
