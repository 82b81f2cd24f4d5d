-- safe from 0066: adds a table, and kinds of marks that the release before does not write.
-- What a partner earns by an order whose investor's share is held waits with it: a refund takes both back.
create table partner_share_held (
  order_id bigint not null,
  book     text   not null check (book in ('referrals', 'soft')),
  user_id  bigint not null,
  buyer_id bigint not null,
  amount   bigint not null check (amount > 0),
  primary key (order_id, book)
);
comment on table partner_share_held is
  'Shares of partners in the books referrals.held and soft.held that wait for the investor''s share of their order. A row goes with its end.';
comment on column partner_share_held.user_id is 'The partner.';

alter table user_mark drop constraint user_mark_kind_check;
alter table user_mark add constraint user_mark_kind_check check (kind in ('telegram', 'wallet', 'address', 'email')) not valid;

alter table investor_share add column tied boolean not null default false;
comment on column investor_share.tied is 'The buyer seems to be the investor: no proof and no comparison releases it, an operator decides.';

create table share_limit (
  is_only boolean primary key default true check (is_only),
  ppm     integer not null check (ppm between 100000 and 1000000)
);
comment on table share_limit is
  'How much of a price the shares of investor and partners may be together, in parts per million; the investor''s is cut to it.';
insert into share_limit (ppm) values (950000);
