-- create_role
-- Functions on the nodes find the tables of the cell by the search path of its role.
create role {role} login
