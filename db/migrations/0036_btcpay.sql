-- What comes in at a BTCPay Server of the operator's, whatever its chain: it lies in the wallets of that program.

insert into account (id, user_id, book) overriding system value values (16, null, 'topup.btcpay');
