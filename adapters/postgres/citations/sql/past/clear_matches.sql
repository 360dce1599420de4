-- clear_matches
delete from matches
