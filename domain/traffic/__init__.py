"""Reports on traffic: sessions, filters, overview, breakdowns, web vitals, conversions."""
