-- dropped
select {step} as step, key from {here} anti join {later} using (who)
