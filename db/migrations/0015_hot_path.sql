-- Several orders of one call share the caller's key: the second is named "<key> 2", the tenth "<key> 10". A caller's own key has no space.

alter table orders
  drop constraint orders_idempotency_key_check,
  add constraint orders_idempotency_key_check check (length(idempotency_key) <= 258);
