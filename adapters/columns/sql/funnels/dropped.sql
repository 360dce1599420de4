-- dropped
select {step} as step, key from {here} where who not in (select who from {later})
