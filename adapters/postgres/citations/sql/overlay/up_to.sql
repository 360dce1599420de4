-- up_to
-- The hits of a past without arrivals.
position <= {last}
