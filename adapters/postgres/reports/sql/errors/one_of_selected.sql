-- one_of_selected
with {selection/selected}, {found}
{found_summaries}
where message.digest = {digest}
