-- Tables of the back office that are filtered and put in another order than that of their ids: what is looked for may all stand at
-- the far end of that order, and then the whole table would be walked through for it.

create index users_admin_email on users (email) where is_admin;
create index users_investor_email on users (email) where is_investor;
create index users_blocked_email on users (email) where blocked_at is not null;
create index users_inactive_email on users (email) where activated_at is null;
create index users_active_email on users (email) where activated_at is not null;
create index payment_state_usd on payment (state, usd, id);
create index payment_currency_usd on payment (currency, usd, id);
