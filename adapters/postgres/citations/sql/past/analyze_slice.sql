-- analyze_slice
analyze slice
