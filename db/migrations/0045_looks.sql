-- A look at records, and a test letter, say something of what was asked for then: not of a later key, selector or name of the reception.
alter table setup_check add column asked text not null default '';
alter table setup_check alter column asked drop default;
comment on column setup_check.asked is 'A digest of what was looked for or tried; empty when nobody wrote it down';
