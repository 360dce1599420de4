-- cell_of_quarter
join cell on cell.cell = epoch_us(quarter) // $cell_length
