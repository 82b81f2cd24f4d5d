-- A letter that was delivered to an order.
create type given_letter as (
  order_id  bigint,
  letter_id bigint,
  user_id   bigint,  -- the buyer
  is_first  boolean  -- the order waited, and this letter earns its price
);
