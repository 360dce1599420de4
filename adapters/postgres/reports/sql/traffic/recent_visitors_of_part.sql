-- recent_visitors_of_part
coalesce(sum(visitors) filter (where parts & {bit} <> 0), 0)
