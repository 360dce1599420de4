-- cells_of_session
left join cell as first_cell on first_cell.cell = epoch_us(started_at) // $cell_length
left join cell as last_cell on last_cell.cell = epoch_us(ended_at) // $cell_length
