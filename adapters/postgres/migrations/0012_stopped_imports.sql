-- An import whose last run was refused, or interrupted by its user, is stopped.
alter table site_import drop constraint site_import_state_check;
alter table site_import
    add constraint site_import_state_check check (state in ('running', 'stopped', 'complete', 'undoing'));
