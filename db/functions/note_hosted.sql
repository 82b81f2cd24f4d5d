-- Saves new orders at hosted mailboxes, in their transaction, and notifies the fetchers.
create function note_hosted(p_order bigint[]) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  insert into hosted_order (order_id, mailbox_id)
    select o.id, o.mailbox_id from orders o join mail_domain d on d.id = o.domain_id
    where o.id = any (p_order) and d.kind = 'hosted';
  perform pg_notify('imap', '');
end $$;
