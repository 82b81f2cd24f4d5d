-- safe from 0066: adds a column that may be missing.
alter table investor_batch add column file_hash bytea;
comment on column investor_batch.file_hash is 'SHA-256 of the file and its restrictions: another file under the same key is refused. Null for batches of before.';
