-- Accounts that seem to be one person's: what tells so, and what a partner earns by such an account, which is kept apart until an
-- operator has looked at it.

create table user_mark (
  user_id    bigint not null references users (id) on delete cascade,
  kind       text   not null check (kind in ('telegram', 'wallet', 'address')),
  hash       bytea  not null,
  expires_at timestamptz,
  primary key (user_id, kind, hash)
);
comment on table user_mark is
  'By what two accounts are told to be one person''s: the messaging accounts that confirmed or tried to, the wallets that paid, the network addresses of late.';
comment on column user_mark.hash is 'Keyed hash: two marks can be compared, and whoever reads this table learns no address and no wallet.';
comment on column user_mark.expires_at is 'When it says nothing any more and goes: an address is somebody else''s after a while. Null for what stays.';
create index user_mark_old on user_mark (expires_at) where expires_at is not null;

create table partner_tie (
  user_id         bigint      not null,
  partner_id      bigint      not null,
  reasons         text[]      not null,
  found_at        timestamptz not null,
  state           text        not null default 'held' check (state in ('held', 'released', 'refused')),
  decided_at      timestamptz check ((decided_at is null) = (state = 'held')),
  referrals       bigint      not null default 0,
  referrals_count integer     not null default 0,
  soft            bigint      not null default 0,
  soft_count      integer     not null default 0,
  primary key (user_id, partner_id)
);
comment on table partner_tie is
  'A buyer and the partner who would earn by him, when both seem to be one person. Found when an order of the buyer is earned; decided once, by an operator.';
comment on column partner_tie.reasons is 'The kinds of marks that both have.';
comment on column partner_tie.state is
  'held: what the partner earns by this buyer is kept apart. released: it became his, and what comes is. refused: it became the shop''s, and what comes is.';
comment on column partner_tie.referrals is 'What was kept apart of his earnings by referrals, and of how many orders.';
create index partner_tie_held on partner_tie (found_at) where state = 'held';
