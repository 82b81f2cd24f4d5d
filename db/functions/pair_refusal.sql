-- Why this mail domain is not on sale for this site, or null. Sandbox mailboxes are for sandbox sites alone.
create function pair_refusal(p_site site, p_domain mail_domain) returns text
language sql immutable as $$
  select case
    when p_site.id is null or p_site.blocked then 'site'
    when p_domain.id is null or not p_domain.enabled
      or (case when p_domain.is_sandbox then p_domain.id end) is distinct from p_site.sandbox_domain_id then 'domain'
  end
$$;
