-- clear_conversion_delta
delete from conversion_delta
