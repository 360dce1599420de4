"""The stores of cells: their places, their copies of the journal, and how busy they are."""
