-- A database that is started with another SECRET_KEY than its own shuts every customer out, and mixes what two keys have sealed.

create table shop_key (
  is_only boolean primary key default true check (is_only),
  mark    bytea   not null
);
comment on table shop_key is 'By which key the secrets of this database are sealed. One row, from the first start on.';
comment on column shop_key.mark is 'A keyed hash of a fixed text: it tells keys apart and nothing about them.';
