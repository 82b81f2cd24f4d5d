-- safe from 0066: adds a table.
create table daily_summary (
  user_id  bigint primary key references users (id) on delete cascade,
  wanted   boolean,
  told_for date
);
comment on table daily_summary is 'The summary of the day before that an administrator gets by mail. Only who chose, or got one, has a row.';
comment on column daily_summary.wanted is 'Null: nobody chose, and owners of the shop get it.';
comment on column daily_summary.told_for is 'The day (UTC) whose summary was written last: of each day one is written at most.';
