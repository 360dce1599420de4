-- Reports filter by the parameters of query strings (docs/read/dimensions.md#query-parameters), as
-- domain/tracking/acquisition/query_parameters.py defines them. A function that catches errors cannot run in a parallel query, nor
-- can its callers.

-- A part of a query string without its escapes, or as it is written where they stand for no text that can be stored.
create function decoded_query(written text) returns text language plpgsql immutable strict parallel unsafe as $$
declare
    bytes bytea;
begin
    if strpos(written, '%') = 0 and strpos(written, '+') = 0 then
        return written;
    end if;
    select string_agg(
        case when part[1] is null then convert_to(part[2], 'UTF8') else decode(part[1], 'hex') end, '' order by place
    )
    into bytes
    from regexp_matches(replace(written, '+', ' '), '%([0-9a-fA-F]{2})|([^%]+|%)', 'g')
        with ordinality as parts (part, place);
    return convert_from(bytes, 'UTF8');
exception
    when character_not_in_repertoire then
        return written;
end
$$;

-- The first value of a parameter; null where the query string has none of that name.
create function query_parameter(querystring text, parameter text) returns text
language plpgsql immutable strict parallel unsafe as $$
declare
    pair text;
    written text;
begin
    if strpos(querystring, parameter) = 0 and strpos(querystring, '%') = 0 and strpos(querystring, '+') = 0 then
        return null;
    end if;
    foreach pair in array string_to_array(regexp_replace(querystring, '^[?]', ''), '&') loop
        written := split_part(pair, '=', 1);
        if written <> '' and decoded_query(written) = parameter then
            return decoded_query(substr(pair, strpos(pair || '=', '=') + 1));
        end if;
    end loop;
    return null;
end
$$;
