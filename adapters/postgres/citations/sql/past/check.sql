-- check
-- Whether the server still answers.
select
