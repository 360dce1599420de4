-- copy_out
copy (select {columns} from {table}) to stdout
