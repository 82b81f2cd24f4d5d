-- Partners: the words of referral links, what is earned by them, and what is kept apart until somebody has looked at it.

create table referral_word (
  key       text        primary key check (key = lower(word)),
  word      text        not null check (word ~ '^[A-Za-z0-9_-]{1,64}$'),
  user_id   bigint      not null references users (id),
  chosen_at timestamptz not null
);
comment on table referral_word is
  'Words of referral links, unique whatever their capitals. A word stays its partner''s when he chooses another: links that were printed never lead to somebody else.';
comment on column referral_word.chosen_at is 'When he chose it, or chose it again: the newest is the one that his link shows.';
create index referral_word_user on referral_word (user_id, chosen_at desc);

-- How many a partner has brought.
create index users_referred_by on users (referred_by) where referred_by is not null;

alter table account
  drop constraint account_book,
  add constraint account_book check (
    user_id is null or book in ('balance', 'referrals', 'soft', 'investor', 'referrals.held', 'soft.held'));

alter type transfer_kind add value 'release'; -- held -> who has earned it: an operator saw nothing wrong
alter type transfer_kind add value 'forfeit'; -- held -> revenue: an operator saw that it was his own money
