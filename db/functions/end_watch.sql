-- Ends the events of these users at p_until, unless a webhook or a chat of the bot needs them. Locks: account.
create function end_watch(p_user bigint[], p_until timestamptz) returns void
language plpgsql as $$
begin
  perform 1 from account a where a.user_id = any (p_user) and a.book = 'balance' order by a.id for update;
  update buyer b set watched_until = least(b.watched_until, p_until)
    where b.user_id = any (p_user)
      and not exists (select 1 from webhook w where w.user_id = b.user_id and w.disabled_at is null)
      and not exists (select 1 from bot_chat c where c.user_id = b.user_id and c.blocked_at is null);
end $$;
