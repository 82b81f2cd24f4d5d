-- What must be asked of a chain again, and when; and money that only a balance tells of.

alter table chain_transfer
  add column doubted    boolean     not null default false,
  add column verify_at  timestamptz not null default '-infinity',
  add column by_balance boolean     not null default false;
comment on column chain_transfer.doubted is
  'The chain has changed where it stood, and it was not verified since. Kept with the cursor, so that a crash in between forgets none.';
comment on column chain_transfer.verify_at is
  'Not asked about again before: one that cannot be told does not hold up the others.';
comment on column chain_transfer.by_balance is
  'No transfer that the chain showed: the address has so much more than its transfers tell of. An operator decides about it.';
create index chain_transfer_doubted on chain_transfer (chain) where doubted;
