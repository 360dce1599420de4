-- clear_working_tables
truncate counted_breakdown, counted_vitals, counted_visitors
