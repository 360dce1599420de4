-- The end of an incident is requested after its beginning has arrived: the key of the request that one comes after.
alter table alert_request add column after_key text;
