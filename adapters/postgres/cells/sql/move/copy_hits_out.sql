-- copy_hits_out
copy (select {columns} from hit where position > {after} and position <= {up_to}) to stdout
