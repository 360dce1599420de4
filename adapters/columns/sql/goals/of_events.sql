-- of_events
with matched as (select session_id, {flags} from ({hits}) as hit),
met as (select session_id, {met} from matched where {some} group by session_id)
select {counts} from met
