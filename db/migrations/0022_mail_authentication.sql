-- What letters prove of their sender, by SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 9989). It is recorded after a letter was
-- judged and delivered, and only where the operator lets names be asked for.

create type mail_result as enum (
  'none',      -- nothing is published, or nothing is signed
  'pass',
  'fail',
  'softfail',  -- SPF: probably not
  'neutral',   -- nothing can be said
  'policy',    -- DKIM: it holds, but is too weak to count, or leaves a part of the letter open
  'temperror', -- names could not be asked for
  'permerror'  -- what is published, or the letter, cannot be understood
);

alter table letter
  add column spf                   mail_result,
  add column dkim                  mail_result,
  add column dmarc                 mail_result,
  add column dkim_domains          text[],
  add column authenticated_at      timestamptz,
  add column authentication_tries  smallint not null default 0,
  add column authentication_due_at timestamptz;
comment on column letter.spf is 'Whether who brought it may send for the domain of MAIL FROM. Null, as the five below, until it was looked at; null for ever where it cannot be known.';
comment on column letter.dkim is 'The best of its signatures, of at most five.';
comment on column letter.dmarc is 'Whether SPF or DKIM proves the domain of its From.';
comment on column letter.dkim_domains is 'The registrable domains whose signatures hold for the whole letter.';
comment on column letter.authentication_due_at is 'When it is looked at, or looked at again: the row is the timer. Null when there is nothing left to do.';

-- Finds what is due, also after a crash; nearly always empty.
create index letter_authentication_due on letter (authentication_due_at) where authentication_due_at is not null;
