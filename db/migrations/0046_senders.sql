-- Facebook writes from this domain, and a mailbox is sold to different buyers for different sites: whoever had it for Instagram
-- got the codes of who had it for Facebook.
delete from site_sender using site
  where site.id = site_sender.site_id and site.name = 'instagram.com' and site_sender.domain = 'facebookmail.com';
