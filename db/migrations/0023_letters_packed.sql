-- Letters are packed before they travel to the database (letters.raw.ts): nothing is left for it to compress.
alter table letter_raw alter column raw set storage external;
comment on column letter_raw.raw is 'The bytes as they came, or packed with zstd: then they begin with 28 B5 2F FD.';

-- Both sides of these are written in one transaction by functions that know what they do, and the audit looks. To check each row
-- once more was a tenth of what a letter costs the database, and marked the letter's row as locked just before it is changed.
alter table recipient drop constraint recipient_letter_id_fkey;
alter table delivery drop constraint delivery_letter_id_fkey;
comment on column recipient.letter_id is 'No foreign key: written with its letter by store_letters, deleted with it by forget_letters.';
comment on column delivery.letter_id is 'No foreign key: letters that orders got are never deleted. The audit looks.';
