-- safe from 0066: adds a table.
create table backup_outcome (
  only_row     boolean          primary key default true check (only_row),
  made_at      timestamptz      not null,
  took_seconds double precision not null,
  size_bytes   bigint           not null,
  is_encrypted boolean          not null
);
comment on table backup_outcome is 'The last daily backup (BACKUP_DIR) that is whole: written when its file is on the disk.';
comment on column backup_outcome.made_at is 'The moment that it shows.';
