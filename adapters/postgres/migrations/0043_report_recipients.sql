-- Addresses outside of organizations that get reports on a site by mail. Who added them, since when their readers want the
-- reports, and the digests of their links stand in the journal. Each address takes the mails to it along when it is erased.

create table report_recipient (
    site_id bigint not null,
    number integer not null,
    address text not null,
    primary key (site_id, number)
);

alter table mail add column site_id bigint, add column recipient_number integer;
-- With names, one by one: a store that is divided among nodes takes no others.
alter table mail add constraint mail_outside_check check (num_nulls(site_id, recipient_number) in (0, 2));
alter table mail
    add constraint mail_outside_fkey foreign key (site_id, recipient_number)
    references report_recipient (site_id, number) on delete cascade;

create index mail_to_recipient on mail (site_id, recipient_number) where site_id is not null;
