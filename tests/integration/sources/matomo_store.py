"""Databases with the tables of Matomo 4 and 5, as far as they are read, with every odd thing that they allow."""

# The types are those that Matomo's tables and dimensions declare, by versions 4.16 and 5.2; plugins add the rest.
SCHEMA = """
create table site (
    idsite int(10) unsigned not null auto_increment, name varchar(90) not null, main_url varchar(255) not null,
    timezone varchar(50) not null, currency char(3) not null, ts_created timestamp null, primary key (idsite)
);
create table goal (
    idsite int(11) not null, idgoal int(11) not null, name varchar(50) not null, match_attribute varchar(20) not null,
    pattern varchar(255) not null, deleted tinyint(4) not null default 0, primary key (idsite, idgoal)
);
create table custom_dimensions (
    idcustomdimension bigint unsigned not null, idsite bigint unsigned not null, name varchar(100) not null,
    `index` smallint unsigned not null, scope varchar(10) not null, active tinyint unsigned not null default 0,
    primary key (idcustomdimension, idsite)
);
create table log_action (
    idaction int(10) unsigned not null auto_increment, name varchar(4096), hash int(10) unsigned not null,
    type tinyint unsigned null, url_prefix tinyint(2) null, primary key (idaction),
    index index_type_hash (type, hash)
);
create table log_visit (
    idvisit bigint(10) unsigned not null auto_increment, idsite int(10) unsigned not null, idvisitor binary(8) not null,
    visit_last_action_time datetime not null, visit_first_action_time datetime not null, config_id binary(8) not null,
    location_ip varbinary(16) not null, user_id varchar(200) null, referer_type tinyint(1) unsigned null,
    referer_name varchar(255) null, referer_keyword varchar(255) null, referer_url varchar(1500) null,
    config_browser_name varchar(40) null, config_browser_version varchar(20) null, config_os char(3) null,
    config_os_version varchar(100) null, config_device_type tinyint(100) null, config_resolution varchar(18) null,
    location_browser_lang varchar(20) null, location_country char(3) null, location_region char(3) null,
    location_city varchar(255) null, location_latitude decimal(9, 6) null, location_longitude decimal(9, 6) null,
    custom_dimension_1 varchar(255) null, custom_dimension_2 varchar(255) null, primary key (idvisit)
);
create table log_link_visit_action (
    idlink_va bigint(10) unsigned not null auto_increment, idsite int(10) unsigned not null,
    idvisitor binary(8) not null, idvisit bigint(10) unsigned not null, server_time datetime not null,
    idaction_url int(10) unsigned null, idaction_name int(10) unsigned,
    idaction_url_ref int(10) unsigned null default 0, idaction_name_ref int(10) unsigned null,
    custom_float double null, pageview_position mediumint unsigned null, idpageview char(6) null,
    search_cat varchar(200) null, search_count int(10) unsigned null,
    time_spent_ref_action int(10) unsigned null, idaction_event_category int(10) unsigned null,
    idaction_event_action int(10) unsigned null, idaction_content_name int(10) unsigned null,
    idaction_content_piece int(10) unsigned null, idaction_product_name int(10) unsigned null,
    idaction_product_sku int(10) unsigned null, idaction_product_cat int(10) unsigned null, product_price double null,
    custom_dimension_1 varchar(255) null, primary key (idlink_va), index index_idvisit (idvisit),
    index index_idsite_servertime (idsite, server_time)
);
create table log_conversion (
    idvisit bigint(10) unsigned not null, idsite int(10) unsigned not null, idvisitor binary(8) not null,
    server_time datetime not null, idaction_url int(10) unsigned null, idlink_va bigint(10) unsigned null,
    idgoal int(10) not null, buster int unsigned not null, idorder varchar(100) null, items smallint unsigned null,
    url varchar(4096) not null, revenue double null, revenue_shipping double null, revenue_subtotal double null,
    revenue_tax double null, revenue_discount double null, pageviews_before smallint unsigned null,
    primary key (idvisit, idgoal, buster), unique key unique_idsite_idorder (idsite, idorder),
    index index_idsite_datetime (idsite, server_time)
);
"""

NAMES = """
insert into site (name, main_url, timezone, currency, ts_created) values
    ('Shop &amp; Co', 'https://shop.example', 'Europe/Berlin', 'EUR', '2016-05-05 10:00:00'),
    ('Blog', 'https://blog.example', 'UTC', 'USD', '2018-01-01');
insert into goal (idsite, idgoal, name, match_attribute, pattern) values
    (1, 1, 'Bezahlt', 'url', '/danke'), (1, 2, 'Anruf &amp; Termin', 'manually', '');
insert into custom_dimensions (idcustomdimension, idsite, name, `index`, scope, active) values
    (1, 1, 'Kundenart', 1, 'visit', 1), (2, 1, 'Rubrik', 1, 'action', 1);
insert into log_action (idaction, name, hash, type, url_prefix) values
    (1, 'shop.example/', 0, 1, 2), (2, 'shop.example/preise?mtm_campaign=sommer&mtm_kwd=schuhe', 0, 1, 3),
    (3, 'shop.example/日本語/💩', 0, 1, 0), (4, 'shop.example/a%%2Fb?q=ä', 0, 1, 1),
    (10, 'Titel &quot;A&quot; &amp; B', 0, 4, null), (11, null, 0, 4, null),
    (20, 'https://elsewhere.example/?a=1&b=2', 0, 2, null), (21, 'https://shop.example/brochure.pdf', 0, 3, null),
    (30, 'schuhe &lt;rot&gt;', 0, 8, null), (40, 'Videos', 0, 10, null), (41, 'Abspielen', 0, 11, null),
    (42, 'intro.mp4', 0, 12, null), (43, 'shop.example/video', 0, 10, 2), (50, 'Banner', 0, 13, null),
    (60, 'Rote Schuhe', 0, 6, null), (61, 'RS-1', 0, 5, null), (62, 'Schuhe', 0, 7, null), (70, 'x', 0, 99, null);
"""

# Every hundredth visit is gone, each third one brings a campaign; ids of visitors have bytes of NUL and 0xff.
VISITS = """
insert into log_visit (
    idvisit, idsite, idvisitor, visit_last_action_time, visit_first_action_time, config_id, location_ip, user_id,
    referer_type, referer_name, referer_keyword, referer_url, config_browser_name, config_browser_version, config_os,
    config_os_version, config_device_type, config_resolution, location_browser_lang, location_country, location_region,
    location_city, location_latitude, location_longitude, custom_dimension_1
)
select
    n + 1, 1, unhex(lpad(hex(if(n %% 50 = 0, 18446744073709551615 - n, n * 256)), 16, '0')),
    '2020-01-01', '2019-12-31 21:00:00' + interval n * 4 * 71 second - interval (n * 4 %% 7) * 3 hour, '12345678',
    unhex('c0000207'), if(n %% 10 = 0, concat('kunde&amp;', n), null), elt(n %% 3 + 1, 1, 6, 2),
    elt(n %% 3 + 1, '', 'newsletter', 'Google'), if(n %% 3 = 1, 'rabatt', null),
    elt(n %% 3 + 1, '', null, 'https://www.google.com/'), elt(n %% 4 + 1, 'CH', 'MF', 'XX', null),
    elt(n %% 4 + 1, '120.0', '17.1', '', null), elt(n %% 4 + 1, 'WIN', 'IOS', 'MAC', 'UNK'),
    elt(n %% 4 + 1, '10', '17.1', '10.15', null), elt(n %% 4 + 1, 0, 1, 2, null),
    elt(n %% 4 + 1, '1920x1080', '390x844', 'unknown', null), elt(n %% 4 + 1, 'de-de', 'en', 'fr-ch,fr', ''),
    elt(n %% 4 + 1, 'de', 'us', 'xx', null), elt(n %% 4 + 1, 'BY', 'TX', null, null),
    elt(n %% 4 + 1, 'München', 'Austin', null, null), if(n %% 4 = 0, 48.137, null), if(n %% 4 = 0, 11.575, null),
    if(n %% 2 = 0, 'Händler &amp; Co', null)
from (select seq as n from seq_0_to_{last}) as numbers
where n %% 100 <> 7;
"""

# A row in twenty is a conversion, one in 97 of another site; of the others, by the last digit: three of ten are pages.
ACTIONS = """
insert into log_link_visit_action (
    idlink_va, idsite, idvisitor, idvisit, server_time, idaction_url, idaction_name, idaction_url_ref,
    idaction_name_ref, custom_float, pageview_position, search_cat, search_count, idaction_event_category,
    idaction_event_action, idaction_content_name, idaction_product_name, idaction_product_sku, idaction_product_cat,
    product_price, custom_dimension_1
)
select
    n, if(n %% 97 = 0, 2, 1), unhex(lpad(hex(n div 4 * 256 + 1), 16, '0')), n div 4 + 1,
    '2019-12-31 21:00:00' + interval n * 71 second - interval (n %% 7) * 3 hour,
    elt(n %% 10 + 1, n div 10 %% 4 + 1, n div 10 %% 4 + 1, 4, 20, 21, null, 43, 1, null, 3),
    elt(n %% 10 + 1, 10, 11, 0, 0, null, 30, 42, null, 10, 10), if(n %% 4 = 0, 0, 1), if(n %% 4 = 0, null, 10),
    if(n %% 10 = 6, elt(n div 10 %% 4 + 1, 3, 2.5, -1, null), null), n %% 4 + 1,
    if(n %% 10 = 5, 'Damen &amp; Herren', null), if(n %% 10 = 5, n %% 30, null), if(n %% 10 = 6, 40, null),
    if(n %% 10 = 6, if(n %% 200 = 6, 0, 41), null), if(n %% 10 = 7, 50, null), if(n %% 30 = 9, 60, null),
    if(n %% 30 = 9, 61, null), if(n %% 30 = 9, 62, null), if(n %% 30 = 9, 19.9, null), if(n %% 8 = 0, 'Rubrik 1', null)
from (select seq as n from seq_1_to_{rows}) as numbers
where n %% 20 <> 13;
insert into log_conversion (
    idvisit, idsite, idvisitor, server_time, idgoal, buster, idorder, items, url, revenue, revenue_subtotal,
    revenue_tax, revenue_shipping, revenue_discount
)
select
    n div 4 + 1, if(n %% 97 = 0, 2, 1), unhex(lpad(hex(n div 4 * 256 + 1), 16, '0')),
    '2019-12-31 21:00:00' + interval n * 71 second - interval (n %% 7) * 3 hour,
    elt(n div 20 %% 4 + 1, 0, 1, 2, -1), n, if(n div 20 %% 4 = 0, concat('A-', n), null),
    if(n div 20 %% 4 = 0, 2, null), 'https://shop.example/danke?nr=1', elt(n div 20 %% 4 + 1, 19.9, 5, 0, 7.5),
    if(n div 20 %% 4 = 0, 16.72, null), if(n div 20 %% 4 = 0, 3.18, null), null, if(n div 20 %% 4 = 0, 0, null)
from (select seq as n from seq_1_to_{rows}) as numbers
where n %% 20 = 13;
"""
# Where a server checks dates by itself, it takes no absurd ones.
LENIENT = "set session sql_mode = 'ALLOW_INVALID_DATES'"

ROWS = 2_000
# The other site has a row in 97; carts are not read.
CARTS = range(73, ROWS + 1, 80)
OF_SITE = ROWS - ROWS // 97 - sum(number % 97 > 0 for number in CARTS)
OF_OTHER = ROWS - len(CARTS) - OF_SITE
# Actions with the rows of their addresses and titles, and whether one is a pageview.
WITH_NAMES = (
    "left join log_action as url on url.idaction = a.idaction_url"
    " left join log_action as title on title.idaction = a.idaction_name"
)
IS_PAGE = "idaction_content_name is null and (url.type = 1 or url.type is null and title.type = 4)"


def statements_of(text, **values):
    return [part.replace("%%", "%").format(**values) for part in text.split(";\n") if part.strip(" ;\n")]


def fill(server, database, rows):
    """Make a database with the tables and fill them."""
    server.run(
        LENIENT,
        f"create database {database} character set utf8mb4",
        f"use {database}",
        *statements_of(SCHEMA),
        *statements_of(NAMES),
        *statements_of(VISITS, last=rows // 4),
        *statements_of(ACTIONS, rows=rows),
    )


def read(source, mark=None):
    return [row for piece in source.pieces(mark) for row in piece.rows]
