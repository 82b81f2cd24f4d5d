-- Sandbox sites: for tests of other people's programs. Their orders are orders like any other, at mailboxes of their own, and cost
-- nothing; the letters come from the shop itself, the same every time.

alter table mail_domain
  add column is_sandbox boolean not null default false,
  drop constraint mail_domain_price_check,
  add constraint mail_domain_price_check check (case when is_sandbox then price = 0 else price > 0 end);
comment on column mail_domain.is_sandbox is 'Never on sale: orders for sandbox sites have their mailboxes here, and no other order has.';

alter table orders
  drop constraint orders_price_check,
  add constraint orders_price_check check (price >= 0);
comment on column orders.price is '0 is an order for a sandbox site: no money moves and nothing is earned. Every other order costs something.';
-- What bounds free orders: how many lately, and how many that wait. Orders that cost something are in neither.
create index orders_free on orders (user_id, created_at) where price = 0;
create index orders_free_pending on orders (user_id) where price = 0 and status = 'pending';

alter table site add column sandbox_domain_id integer references mail_domain (id);
comment on column site.sandbox_domain_id is 'Of a sandbox site: where its mailboxes are, whatever mail domain is asked for. Null for every other site.';

-- Names under .test belong to nobody (RFC 2606 §2). The second has never a mailbox: what is ordered there is sold out.
insert into mail_domain (name, price, is_sandbox) values ('sandbox.test', 0, true), ('sandbox-empty.test', 0, true);

insert into site (name, sandbox_domain_id)
  select s.name, d.id
  from (values
    ('sandbox-ok', 'sandbox.test'), ('sandbox-delay-20', 'sandbox.test'), ('sandbox-html-only', 'sandbox.test'),
    ('sandbox-wrong-subject', 'sandbox.test'), ('sandbox-two-letters', 'sandbox.test'), ('sandbox-never', 'sandbox.test'),
    ('sandbox-no-emails', 'sandbox-empty.test')
  ) as s (name, domain) join mail_domain d on d.name = s.domain;

insert into site_sender (site_id, domain)
  select id, name || '.test' from site where sandbox_domain_id is not null;

create type sandbox_kind as enum ('code', 'html', 'subject', 'second');

create table sandbox_script (
  site_id integer      not null references site (id),
  kind    sandbox_kind not null,
  delay   interval     not null,
  primary key (site_id, kind)
);
comment on table sandbox_script is 'Which letters a sandbox site sends to each order, and how long after it.';

insert into sandbox_script (site_id, kind, delay)
  select s.id, t.kind::sandbox_kind, make_interval(secs => t.seconds)
  from (values
    ('sandbox-ok', 'code', 2), ('sandbox-delay-20', 'code', 20), ('sandbox-html-only', 'html', 2),
    ('sandbox-wrong-subject', 'subject', 2), ('sandbox-two-letters', 'code', 2), ('sandbox-two-letters', 'second', 4)
  ) as t (name, kind, seconds) join site s on s.name = t.name;

create table sandbox_letter (
  order_id bigint       not null,
  kind     sandbox_kind not null,
  due_at   timestamptz  not null,
  primary key (order_id, kind)
);
comment on table sandbox_letter is 'Letters that sandbox sites have yet to send, written in the transaction of their orders; gone when they are sent.';
create index sandbox_letter_due on sandbox_letter (due_at);
