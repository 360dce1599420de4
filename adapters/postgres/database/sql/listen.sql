-- listen
listen footfall_event
