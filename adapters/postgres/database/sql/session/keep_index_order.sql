-- keep_index_order
set local enable_sort = off
