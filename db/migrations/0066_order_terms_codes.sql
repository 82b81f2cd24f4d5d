-- safe from 0057
-- The words of subjects are searched in the letters (docs/decisions/072-*.md); those noted before stay and are found as well.
comment on table order_term is
  'What a buyer finds an order by: the codes of its letters, in small letters. Rows from before 0066 also have words of subjects and local parts of addresses.';
comment on column order_term.code_at is
  'When the letter was delivered: the code is forgotten with the letter that had it. Null in rows of other words.';
