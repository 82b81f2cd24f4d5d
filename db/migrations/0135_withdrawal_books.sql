-- safe from 0066: checks what is there; nobody waits for it.
alter table account validate constraint account_book;
