"""Databases with the tables of Umami 2.0 and 3.1, as its migrations make them; 3.1 with every odd thing they allow."""

import psycopg

WEBSITE = "0b1f9a52-0000-4000-8000-000000000001"
DELETED = "0b1f9a52-0000-4000-8000-000000000002"

SCHEMA = """
create table website (
    website_id uuid primary key, name varchar(100) not null, domain varchar(500), reset_at timestamptz(6), user_id uuid,
    team_id uuid, created_by uuid, created_at timestamptz(6) default now(), updated_at timestamptz(6),
    deleted_at timestamptz(6), replay_enabled boolean not null default false, replay_config jsonb
);
create table session (
    session_id uuid primary key, website_id uuid not null, browser varchar(20), os varchar(20), device varchar(20),
    screen varchar(11), language varchar(35), country char(2), region varchar(20), city varchar(50),
    distinct_id varchar(50), created_at timestamptz(6) default now()
);
create table website_event (
    event_id uuid primary key, website_id uuid not null, session_id uuid not null, visit_id uuid not null,
    created_at timestamptz(6) default now(), url_path varchar(500) not null, url_query varchar(500),
    utm_source varchar(255), utm_medium varchar(255), utm_campaign varchar(255), utm_content varchar(255),
    utm_term varchar(255), referrer_path varchar(500), referrer_query varchar(500), referrer_domain varchar(500),
    page_title varchar(500), gclid varchar(255), fbclid varchar(255), msclkid varchar(255), ttclid varchar(255),
    li_fat_id varchar(255), twclid varchar(255), event_type integer not null default 1, event_name varchar(50),
    tag varchar(50), hostname varchar(100), lcp decimal(10, 1), inp decimal(10, 1), cls decimal(10, 4),
    fcp decimal(10, 1), ttfb decimal(10, 1)
);
create table event_data (
    event_data_id uuid primary key, website_id uuid not null, website_event_id uuid not null,
    data_key varchar(500) not null, string_value varchar(500), number_value decimal(19, 4), date_value timestamptz(6),
    data_type integer not null,
    created_at timestamptz(6) default now()
);
create index on event_data (website_event_id);
create index on website_event (website_id, created_at);
"""

# Ids are digests, so that all runs have the same; every hundredth session is gone, every fiftieth event has no title.
FILL = """
insert into website (website_id, name, domain, deleted_at) values
    (%(website)s, 'Shop', 'shop.example', null), (%(deleted)s, 'Old', 'old.example', now());
insert into session (session_id, website_id, browser, os, device, screen, language, country, region, city, distinct_id)
select
    md5('s' || n)::uuid, %(website)s, (array['chrome', 'ios', 'edge-chromium', null])[n %% 4 + 1],
    (array['Windows 10', 'iOS', 'Mac OS', null])[n %% 4 + 1], (array['laptop', 'mobile', 'desktop', null])[n %% 4 + 1],
    case when n %% 3 = 0 then '1920x1080' end, 'de-DE', case when n %% 5 > 0 then 'DE' end,
    case when n %% 5 > 0 then 'DE-BY' end, case when n %% 5 > 0 then 'München' end,
    case when n %% 10 = 0 then 'kunde-' || n end
from generate_series(0, %(rows)s / 4) as n
where n %% 100 <> 7;
insert into website_event (
    event_id, website_id, session_id, visit_id, created_at, url_path, url_query, utm_source, referrer_domain,
    referrer_path, referrer_query, page_title, gclid, event_type, event_name, tag, hostname, lcp, cls
)
select
    md5('e' || n)::uuid, case when n %% 97 = 0 then %(deleted)s::uuid else %(website)s::uuid end,
    md5('s' || n / 4)::uuid, md5('v' || n / 4)::uuid,
    timestamptz '2019-12-31 23:00:00+02' + n * interval '71.000001 seconds' - (n %% 7) * interval '3 hours',
    (array['/', '/preise', '/日本語/💩', '/a%%2Fb'])[n %% 4 + 1],
    (array['utm_source=news&utm_medium=email', null, 'q=ä', ''])[n %% 4 + 1],
    case when n %% 4 = 1 then 'cpc-quelle' end, case when n %% 6 = 0 then 'google.com' end,
    case when n %% 6 = 0 then '/search' end, case when n %% 12 = 0 then 'q=x' end,
    case when n %% 50 > 0 then 'Titel "' || n || '", ' || chr(10) || 'Zeile' end, case when n %% 40 = 0 then 'abc' end,
    (array[1, 1, 1, 2, 5, 1, 2, 1, 3, 1])[n %% 10 + 1],
    case when n %% 10 in (3, 6) and n %% 200 <> 3 then 'Bestellung' end, case when n %% 10 = 0 then 'b' end,
    'shop.example',
    case when n %% 10 = 4 then 1234.5 end, case when n %% 10 = 4 then 0.0123 end
from generate_series(1, %(rows)s) as n;
insert into event_data (
    event_data_id, website_id, website_event_id, data_key, string_value, number_value, date_value, data_type
)
select md5('d' || n || k)::uuid, %(website)s, md5('e' || n)::uuid, k, s, v, d, t
from generate_series(3, %(rows)s, 10) as n
cross join (values
    ('plan', 'pro "x"', null::numeric, null::timestamptz, 1), ('price', '19.9', 19.9, null, 2),
    ('count', '3', 3, null, 2), ('paid', 'true', null, null, 3), ('at', null, null, '2024-01-01 00:00:00+00', 4),
    ('tags', '["a","b"]', null, null, 5)
) as data (k, s, v, d, t);
"""


# The tables of Umami 2.0, as its first migration makes them, with one event and its data.
SCHEMA_OF_2 = """
create table website (
    website_id uuid primary key, name varchar(100) not null, domain varchar(500), share_id varchar(50),
    reset_at timestamptz(6), user_id uuid, created_at timestamptz(6) default now(), updated_at timestamptz(6),
    deleted_at timestamptz(6)
);
create table session (
    session_id uuid primary key, website_id uuid not null, hostname varchar(100), browser varchar(20), os varchar(20),
    device varchar(20), screen varchar(11), language varchar(35), country char(2), subdivision1 char(3),
    subdivision2 varchar(50), city varchar(50), created_at timestamptz(6) default now()
);
create table website_event (
    event_id uuid primary key, website_id uuid not null, session_id uuid not null,
    created_at timestamptz(6) default now(), url_path varchar(500) not null, url_query varchar(500),
    referrer_path varchar(500), referrer_query varchar(500), referrer_domain varchar(500), page_title varchar(500),
    event_type integer not null default 1, event_name varchar(50)
);
create table event_data (
    event_id uuid primary key, website_id uuid not null, website_event_id uuid not null,
    event_key varchar(500) not null, event_string_value varchar(500), event_numeric_value decimal(19, 4),
    event_date_value timestamptz(6),
    event_data_type integer not null, created_at timestamptz(6) default now()
);
create index on event_data (website_event_id);
create index on website_event (website_id, created_at);
"""
FILL_OF_2 = """
insert into website (website_id, name, domain) values (%(website)s, 'Shop', 'shop.example');
insert into session (
    session_id, website_id, hostname, browser, os, device, screen, language, country, subdivision1, city
) values (
    md5('s')::uuid, %(website)s, 'shop.example', 'crios', 'Android OS', 'smarttv', '390x844', 'fr', 'FR', 'OC',
    'Tolosa'
);
insert into website_event (
    event_id, website_id, session_id, created_at, url_path, url_query, referrer_domain, event_type, event_name
) values (
    md5('e')::uuid, %(website)s, md5('s')::uuid, '2022-12-31 23:59:59.999999+00', '/', 'utm_source=news',
    'duckduckgo.com', 2, 'order'
);
insert into event_data (
    event_id, website_id, website_event_id, event_key, event_string_value, event_numeric_value, event_date_value,
    event_data_type
)
select md5('d' || k)::uuid, %(website)s, md5('e')::uuid, k, s, v, d, t
from (values
    ('plan', 'pro', null::numeric, null::timestamptz, 1), ('price', null, -19.9, null, 2),
    ('paid', 'false', null, null, 3), ('at', null, null, '2022-01-01 00:00:00+00', 4), ('tags', '[1]', null, null, 5)
) as data (k, s, v, d, t);
"""


def fill(url, rows):
    """Make the tables and fill them."""
    values = {"website": WEBSITE, "deleted": DELETED, "rows": rows}
    with psycopg.connect(url, cursor_factory=psycopg.ClientCursor) as connection:
        connection.execute(SCHEMA)
        connection.execute(FILL, values)


def fill_2(url):
    """Make the tables of Umami 2.0 with one event."""
    with psycopg.connect(url, cursor_factory=psycopg.ClientCursor) as connection:
        connection.execute(SCHEMA_OF_2)
        connection.execute(FILL_OF_2, {"website": WEBSITE})


def copy_out(url, folder):
    """Write the three tables as psql does with `\\copy table to file csv header`."""
    with psycopg.connect(url) as connection:
        for table in ("website_event", "session", "event_data"):
            with (
                (folder / f"{table}.csv").open("wb") as file,
                connection.cursor() as cursor,
                cursor.copy(f"copy {table} to stdout with (format csv, header)") as copy,
            ):
                file.writelines(copy)
