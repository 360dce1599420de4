-- forget_finished
delete from mail where finished_at < %(before)s
