-- Whether the batch of an order's mailbox is off sale.
create function is_withdrawn(p_order bigint) returns boolean
language plpgsql stable as $$
begin
  return (select b.withdrawn_at is not null
          from orders o join mailbox m on m.id = o.mailbox_id join lot l on l.id = m.lot_id join batch b on b.id = l.batch_id
          where o.id = p_order);
end $$;
