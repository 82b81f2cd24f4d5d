-- The deadline of a new order, defined only here.
create function order_deadline(p_now timestamptz, p_ttl interval, p_kind domain_kind) returns timestamptz
language sql stable
return p_now + p_ttl;
