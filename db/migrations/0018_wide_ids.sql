-- What programs are told ids of begins above 32 bits, as orders and payments do: a program that keeps one in too small a number
-- finds out on its first day, and not years later. Ids that were told before stay what they are, and stay below all new ones.

alter table letter alter column id set start with 60000000001 restart;
alter table user_token alter column id set start with 70000000001 restart;
alter table webhook alter column id set start with 80000000001 restart;
alter sequence event_id start with 90000000001 restart;
