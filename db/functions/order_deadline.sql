-- When an order that is placed now expires. The only place that says it: every order takes its deadline from here.
create function order_deadline(p_now timestamptz, p_ttl interval, p_kind domain_kind) returns timestamptz
language sql stable
return p_now + p_ttl;
