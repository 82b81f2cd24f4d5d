-- A look at records, and a test letter, say something of what was asked for then: not of a later key, selector or name of the reception.
alter table setup_check add column asked text not null default '';
alter table setup_check alter column asked drop default;
comment on column setup_check.asked is 'A digest of what was looked for or tried; empty when nobody wrote it down';

-- What the last audit found: until the next one, the overview says how many invariants did not hold.
create table audit_outcome (
  only_row   boolean     primary key default true check (only_row),
  broken     integer     not null check (broken >= 0),
  audited_at timestamptz not null
);
comment on table audit_outcome is 'How many invariants the last audit found broken, and when; one row at most';
