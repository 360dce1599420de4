-- commit_without_waiting
set local synchronous_commit = off
