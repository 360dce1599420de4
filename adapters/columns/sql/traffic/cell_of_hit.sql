-- cell_of_hit
join cell on cell.cell = epoch_us(occurred_at) // $cell_length
