-- The received orders that reorders name: by id, or (p_order null) the latest of address and site. One row each, nulls for none.
create function received_orders(p_user bigint[], p_order bigint[], p_local_part text[], p_domain text[], p_site integer[])
returns table (place integer, id bigint, mailbox_id bigint, site_id integer)
language sql stable as $$
  select t.place::integer, first.id, first.mailbox_id, first.site_id
  from unnest(p_user, p_order, p_local_part, p_domain, p_site) with ordinality as t (user_id, order_id, local_part, domain, site_id, place)
  left join lateral (
    (select o.id, o.mailbox_id, o.site_id from orders o
      where o.id = t.order_id and o.user_id = t.user_id and o.status = 'received')
    union all
    (select o.id, o.mailbox_id, o.site_id
      from mail_domain d
      join mailbox m on m.domain_id = d.id and m.local_part = t.local_part
      cross join lateral (
        -- By the mailbox, not the user, who may have millions of orders: "limit" and "offset" keep the planner from merging these.
        (select * from orders o where o.mailbox_id = m.id and o.site_id = t.site_id
           and o.status in ('pending', 'received') and o.reorder_of is null limit 1)
        union all
        (select * from orders o where o.mailbox_id = m.id and o.site_id = t.site_id
           and o.status in ('pending', 'received') and o.reorder_of is not null offset 0)
      ) o
      where t.order_id is null and d.name = t.domain and o.user_id = t.user_id and o.status = 'received'
      order by o.id desc limit 1)
  ) first on true
$$;
