-- stretch
-- How many deploys there were before the session began.
(select count(*) from unnest(%(deploys)s::timestamptz[]) as deploy (at) where deploy.at <= selected.started_at)::integer
