-- rows
select {columns} from {table} as own
