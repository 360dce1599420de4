-- analyze_changes
analyze changed_session
