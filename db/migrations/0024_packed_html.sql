-- The HTML of a letter is packed where it is read (letters.open.ts), as its bytes are: the database's own compression was the
-- dearest part of keeping a long letter. What a person reads is rendered from it, so it need not be kept twice.
alter table letter_body alter column html type bytea using convert_to(html, 'UTF8');
alter table letter_body alter column html set storage external;
comment on column letter_body.html is
  'As it came, with the pictures that it carries put in their places; in UTF-8, or packed with zstd: then it begins with 28 B5 2F FD.';
comment on column letter_body.text is 'The letter as a person reads it, where it has no HTML.';
