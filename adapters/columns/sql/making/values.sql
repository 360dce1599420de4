-- values
create type {attribute}_values as enum (select distinct {attribute} from sessions where {attribute} is not null)
