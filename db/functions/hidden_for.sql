-- Why a returned mailbox cannot be sold now, as returned.hidden keeps it: the sum of its reasons, 0 when it can.
create function hidden_for(blocked boolean default false, dead boolean default false, withdrawn boolean default false) returns smallint
language sql immutable parallel safe
return (case when blocked then 1 else 0 end + case when dead then 2 else 0 end + case when withdrawn then 4 else 0 end)::smallint;
