-- A partner's share: 5 % of the price, rounded down (spec O §9; partnerPercent in src/contract/limits.ts).
create function partner_share(p_price bigint) returns bigint
language sql immutable
return p_price * 5 / 100;
