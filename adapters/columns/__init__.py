"""Days that are over as Parquet files: their layout, their making, and reports that DuckDB answers from them."""
