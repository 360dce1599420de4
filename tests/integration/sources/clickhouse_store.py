"""Tables of Plausible and Rybbit in ClickHouse's own engine, filled with every odd thing that they allow.

Plausible's as of its migration of September 2025, the latest that changes the table of Community Edition by July 2026,
Rybbit's as of version 2.8 (July 2026); without codecs, indices and dictionaries.
"""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from urllib.parse import parse_qs, urlsplit

PLAUSIBLE = """
create table events_v2 (
    timestamp DateTime, name LowCardinality(String), site_id UInt64, user_id UInt64, session_id UInt64, hostname String,
    pathname String, referrer String, referrer_source String, country_code FixedString(2),
    screen_size LowCardinality(String), operating_system LowCardinality(String), browser LowCardinality(String),
    utm_medium String, utm_source String, utm_campaign String, `meta.key` Array(String), `meta.value` Array(String),
    browser_version LowCardinality(String), operating_system_version LowCardinality(String),
    subdivision1_code LowCardinality(String), subdivision2_code LowCardinality(String), city_geoname_id UInt32,
    utm_content String, utm_term String, revenue_reporting_amount Nullable(Decimal(18, 3)),
    revenue_reporting_currency FixedString(3), revenue_source_amount Nullable(Decimal(18, 3)),
    revenue_source_currency FixedString(3), channel LowCardinality(String), click_id_param LowCardinality(String),
    scroll_depth UInt8, engagement_time UInt32, batch UInt64,
    country LowCardinality(FixedString(2)) alias country_code, source String alias referrer_source,
    acquisition_channel LowCardinality(String) materialized multiIf(referrer_source = '', 'Direct', 'Referral')
) engine = MergeTree partition by toYYYYMM(timestamp) order by (site_id, toDate(timestamp), name, user_id)
"""

FILL_PLAUSIBLE = """
insert into events_v2
select
    toDateTime('2019-12-31 23:00:00', 'UTC') + n * 71 - n % 3 * 71,
    ['pageview', 'pageview', 'engagement', 'Outbound Link: Click', 'Bestellung', 'pageview'][n % 6 + 1],
    if(n % 97 = 0, 8, 7), if(n % 200 = 1, 0, 18446744073709551615 - intDiv(n, 5)), 9223372036854775807 + intDiv(n, 3),
    'shop.example', ['/', '/日本語/💩', '/a\\tb\\\\c', '/preise'][n % 4 + 1], if(n % 5 = 0, 'google.com/search', ''),
    if(n % 5 = 0, 'Google', ''), if(n % 4 = 0, '', 'DE'), ['Desktop', 'Mobile', 'Ultra-wide', ''][n % 4 + 1],
    ['GNU/Linux', 'Mac', '(not set)', 'iOS'][n % 4 + 1], ['Microsoft Edge', 'Safari', '', 'Chrome'][n % 4 + 1],
    '', if(n % 8 = 0, 'news', ''), '',
    multiIf(n % 6 = 3, ['url'], n % 6 = 4, ['plan', 'it\\'s'], []),
    multiIf(n % 6 = 3, ['https://elsewhere.example/?a=1'], n % 6 = 4, ['pro "x"', 'ä\\\\b'], []),
    '120.0', '15', if(n % 4 = 0, '', 'DE-BY'), '', 2867714, '', '', null, '', if(n % 12 = 4, 19.9, null),
    if(n % 12 = 4, 'EUR', ''), '', if(n % 40 = 0, '(gclid)', ''), 100, 5, 0
from (select number as n from numbers(1, {rows}))
"""

RYBBIT = """
create table events (
    site_id UInt16, timestamp DateTime, session_id String, user_id String, hostname String, pathname String,
    querystring String, url_parameters Map(String, String), page_title String, referrer String, channel String,
    browser LowCardinality(String), browser_version LowCardinality(String), operating_system LowCardinality(String),
    operating_system_version LowCardinality(String), language LowCardinality(String),
    country LowCardinality(FixedString(2)),
    region LowCardinality(String), city String, lat Float64, lon Float64, screen_width UInt16, screen_height UInt16,
    device_type LowCardinality(String), type LowCardinality(String) default 'pageview', event_name String, props JSON,
    lcp Nullable(Float64), cls Nullable(Float64), inp Nullable(Float64), fcp Nullable(Float64), ttfb Nullable(Float64),
    ip Nullable(String), timezone LowCardinality(String) default '', identified_user_id String default '',
    import_id Nullable(UUID), tag LowCardinality(String) default '', feature_flags Map(String, String) default map(),
    asn Nullable(UInt32), asn_org LowCardinality(String) default '', is_datacenter_asn UInt8 default 0
) engine = MergeTree partition by toYYYYMM(timestamp) order by (site_id, timestamp)
"""

FILL_RYBBIT = """
insert into events
select
    if(n % 97 = 0, 8, 7), toDateTime('2019-12-31 23:00:00', 'UTC') + n * 71 - n % 3 * 71, 's' || toString(intDiv(n, 3)),
    if(n % 50 = 1, '', 'u' || toString(intDiv(n, 5))), 'shop.example',
    ['/', '/日本語/💩', '/a\\tb', '/preise'][n % 4 + 1],
    if(n % 4 = 0, '?utm_source=news&utm_medium=email', ''), if(n % 4 = 0, map('utm_source', 'news'), map()),
    'Titel "x", \\n' || toString(n), if(n % 5 = 0, 'https://www.google.com/', ''), 'Direct', 'Chrome', '120',
    'macOS', '14',
    'de-DE', if(n % 4 = 0, '', 'DE'), if(n % 4 = 0, '', 'DE-BY'), if(n % 4 = 0, '', 'München'), if(n % 4 = 0, 0, 48.1),
    if(n % 4 = 0, 0, 11.5), if(n % 3 = 0, 0, 1920), if(n % 3 = 0, 0, 1080),
    ['Desktop', 'Mobile', 'Tablet', ''][n % 4 + 1],
    ['pageview', 'pageview', 'custom_event', 'performance', 'outbound', 'error', 'copy'][n % 7 + 1],
    multiIf(n % 7 = 2, 'Bestellung', n % 7 = 5, 'TypeError', ''),
    multiIf(
        n % 7 = 2, '{{"plan":"pro","price":19.5,"paid":true}}', n % 7 = 4, '{{"url":"https://elsewhere.example/"}}',
        n % 7 = 5, '{{"message":"x is not \\\\"defined\\\\"","lineNumber":7}}', '{{}}'
    ),
    if(n % 7 = 3, 1234.5, null), if(n % 7 = 3, 0, null), null, null, null,
    '192.0.2.7', 'Europe/Berlin', if(n % 10 = 0, 'kunde-' || toString(n), ''), null, '', map('it\\'s', 'a\\tb'), 64496,
    'Beispiel "AG"', 0
from (select number as n from numbers(1, {rows}))
"""


def serve(session, *databases):
    """Start the HTTP interface over a session of chdb in a thread; return the server and the URLs of databases."""
    lock = Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = {name: values[-1] for name, values in parse_qs(urlsplit(self.path).query).items()}
            query = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.server.authorizations.add(self.headers["Authorization"])
            parameters = {
                name.removeprefix("param_"): value
                for name, value in asked.items()
                if name.startswith("param_")
            }
            try:
                with lock:
                    session.query(f"use {asked['database']}")
                    answer = session.query(query, "JSONEachRow", params=parameters).bytes()
                status = 200
            except RuntimeError as fault:
                answer, status = str(fault).encode(), 500
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.authorizations = set()
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    address = f"http://leser:geheim@127.0.0.1:{server.server_port}"
    return server, [f"{address}/{database}" for database in databases]
