-- join_role
grant {role} to current_user
