-- analyze_changes
analyze changed_session, later_slice
