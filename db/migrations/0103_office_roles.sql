-- safe from 0066: adds columns that an older release does not read.
-- Roles of the back office, and accounts that are closed to programs (docs/decisions/102).
alter table users
  add column office_role text,
  add column open_to_programs boolean;
comment on column users.office_role is 'Of an administrator (is_admin): money, support, editor; null: owner, who may do everything. Without is_admin it says nothing.';
comment on column users.open_to_programs is 'Whether the token of the account may add and change limited tokens and webhooks; null: unless it is an administrator''s.';
