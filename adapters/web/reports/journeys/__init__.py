"""The page of journeys: its form, its flow, and its tables."""
