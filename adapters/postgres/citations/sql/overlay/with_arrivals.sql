-- with_arrivals
-- The hits of a past with arrivals: those that were put aside are remembered.
(position <= {last} and position not in (select aside.position from aside))
