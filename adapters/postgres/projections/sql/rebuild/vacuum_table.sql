-- vacuum_table
vacuum (analyze) {table}
