-- error_digest
md5(row(slice.event_name, slice.properties)::text)::uuid
