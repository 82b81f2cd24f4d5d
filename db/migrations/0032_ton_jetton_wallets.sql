-- Where the dollar coin of TON arrives: not at an owner's address but at a contract of his own for each coin (a jetton wallet).

create table ton_jetton_wallet (
  master text not null,
  owner  text not null,
  wallet text not null,
  primary key (master, owner)
);
comment on table ton_jetton_wallet is
  'The jetton wallet that the coin''s own contract (master) names for each of our addresses, raw: asked once, because it never changes.';
