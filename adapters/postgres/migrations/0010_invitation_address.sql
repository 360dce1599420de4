-- The addresses of open invitations, which are erased when an invitation is accepted, revoked or expired.

create table invitation_address (
    organization_id text not null,
    invitation_id bigint not null,
    address text not null,
    expires_at timestamptz not null,
    primary key (organization_id, invitation_id)
);

create index invitation_address_by_age on invitation_address (expires_at);
