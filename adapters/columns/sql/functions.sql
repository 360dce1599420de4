-- Functions of queries, which each instance of DuckDB has from its start; DuckDB writes them into the query like its own text.

-- name: functions
-- As domain/tracking/acquisition/referrer.py has it. The plan of an expression of DuckDB costs more than hundreds of values:
-- one regular expression is planned in a seventh of the time that several cuts take.
create macro referrer_host(referrer) as coalesce(
    nullif(
        regexp_extract(
            translate(
                case when strpos(referrer, '://') > 0 then split_part(referrer, '://', 2) else referrer end,
                'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'
            ),
            '^(?:www[.])?([^/?#]*)', 1
        ),
        ''
    ),
    referrer
);

-- As domain/tracking/acquisition/query_parameters.py has it.
create macro decoded(written) as case
    when strpos(written, '%') = 0 and strpos(written, '+') = 0 then written
    when coalesce(strpos(try(url_decode(replace(written, '+', ' '))), chr(0)) = 0, false)
        then url_decode(replace(written, '+', ' '))
    else written
end;

-- Most query strings have no such text, and are not taken apart.
create macro query_parameter(querystring, parameter) as case
    when strpos(querystring, parameter) > 0 or strpos(querystring, '%') > 0 or strpos(querystring, '+') > 0 then
        list_transform(
            list_filter(
                list_transform(
                    string_split(regexp_replace(querystring, '^[?]', ''), '&'),
                    lambda pair: struct_pack(
                        name := split_part(pair, '=', 1), value := substr(pair, strpos(pair || '=', '=') + 1)
                    )
                ),
                lambda one: one.name <> '' and decoded(one.name) = parameter
            ),
            lambda one: decoded(one.value)
        )[1]
end;

-- As `property_text` in domain/goals/matching.py has it.
create macro property_text(property) as case property.kind
    when 'number' then property.decimal when 'string' then property.text when 'boolean' then property.text
end;

create macro property_number(property) as try_cast(
    case when regexp_full_match(property.decimal, '-?[0-9]{1,18}([.][0-9]+)?') then property.decimal end as decimal(28, 9)
);

-- Most values are told by a comparison that takes a third of the time: it is of lower case in every script, and the text is in the
-- lower case of ASCII, so that it misses none.
create macro contains_text(value, folded, expression) as (
    contains(lower(value), lower(folded)) and regexp_matches(value, expression)
);

-- It puts hits in the order of their times and, at one time, of their positions; sessions in that of their starts and numbers.
create macro key_of(occurred_at, number) as epoch_us(occurred_at)::hugeint * 9223372036854775808 + number;

-- What was reported of a page, each time with its position.
create macro reported(measures) as list_transform(
    from_json(measures, '[["BIGINT"]]'),
    lambda one : {position: one[1], engaged_ms: one[2]::integer, scroll_percent: one[3]::smallint}
);

create macro most_engaged(measures) as list_max([one.engaged_ms for one in measures]);

create macro most_scrolled(measures) as list_max([one.scroll_percent for one in measures]);

-- The same up to a position.
create macro engaged_at(measures, up_to) as list_max([one.engaged_ms for one in measures if one.position <= up_to]);

create macro scrolled_at(measures, up_to) as list_max([one.scroll_percent for one in measures if one.position <= up_to]);

-- Percentiles are nearest ranks; the factors are decimal numbers, for which DuckDB computes ranks in integers.
create macro percentiles(measure) as quantile_disc(measure, [0.5, 0.75, 0.9])

-- name: functions_of_domain
-- As domain/bots/bot_names.py has it. Nearly all visits are of persons: the branches are looked at for bots alone.
create macro bot_operator(bot) as case when bot is null then null else case {operators} else null end end;

create macro bot_purpose(bot) as case when bot is null then null else case {purposes} else '{other}' end end;

-- As domain/tracking/screen.py has it.
create macro screen_class(width) as case when width > 0 then case {below} else '{widest}' end end
