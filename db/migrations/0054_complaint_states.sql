-- The back office lists complaints of one state; those of a rare one were looked for among all.
create index investor_share_answered on investor_share (complaint, order_id) where complaint is not null;
drop index investor_share_review;
