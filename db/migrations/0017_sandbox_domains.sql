-- A mail domain for each sandbox site. On a shared one each site has sold the same mailboxes in the same order, so that letters of
-- one site stood in the timelines of orders for another: not the same every time.

update mail_domain set name = 'ok.sandbox.test' where name = 'sandbox.test';
update mail_domain set name = 'no-emails.sandbox.test' where name = 'sandbox-empty.test';

insert into mail_domain (name, price, is_sandbox)
  select substr(name, length('sandbox-') + 1) || '.sandbox.test', 0, true
  from site where sandbox_domain_id is not null
  on conflict do nothing;

update site s set sandbox_domain_id = d.id
  from mail_domain d where s.sandbox_domain_id is not null and d.name = substr(s.name, length('sandbox-') + 1) || '.sandbox.test';
