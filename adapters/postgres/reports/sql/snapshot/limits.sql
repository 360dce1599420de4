-- limits
-- Groups go into a hash table, and are not sorted, as long as they fit into the memory.
set local work_mem = '32MB';
set local statement_timeout = {timeout}
