-- safe from 0066, outside a transaction: adds kinds of codes that an older release does not send, and an index on a table in use.
-- A new e-mail address is confirmed by a code to the old one and a code to the new one (docs/decisions/104).
alter type code_purpose add value if not exists 'old-email';
alter type code_purpose add value if not exists 'new-email';
-- The account that has left an address, for as long as the mail to it can undo that.
create index concurrently if not exists owner_notice_left on owner_notice (address) where kind = 'email-changed';
