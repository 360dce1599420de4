-- message_table
create temporary table past_message (like {schema}.error_message including indexes) on commit drop
