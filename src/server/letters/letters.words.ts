// The words that stand near codes and links in the letters of the six languages of the shop (and what looks like them in
// others: Bestätigungscode, codice). All lower case; compared with lower-cased text.

const list = (words: string) =>
  words
    .split("|")
    .map((word) => word.trim())
    .filter(Boolean);

/** What a verification code is called. */
export const codeWords = list(`
  code | passcode | one-time | one time pass | otp | pin | verification number | token: |
  код | кода | кодом | пароль: | одноразов | пин |
  código | codigo | clave | contraseña temporal | contraseña de un solo uso | pin de |
  验证码 | 驗證碼 | 校验码 | 确认码 | 確認碼 | 动态码 | 动态密码 | 安全码 | 授权码 | 登录码 | 代码 | 代碼 | 口令 |
  رمز | كود | الرقم السري | كلمة المرور لمرة واحدة | رقم التحقق |
  कोड | ओटीपी | पिन | वन-टाइम पासवर्ड | सत्यापन संख्या`);

/** What makes a "code" on the same line one that nobody signs in with. */
export const otherCodeWords = list(`
  promo | discount | coupon | voucher | gift card | checkout | % off | zip code | postal code | postcode | country code |
  area code | qr code | barcode | referral code | code of conduct | error code | source code | dress code |
  промокод | скидк | купон | почтовый индекс | код страны | код ошибки |
  descuento | cupón | código postal | promocional | código de error |
  优惠 | 折扣 | 邮编 | 邮政编码 | 红包 | 错误代码 |
  خصم | قسيمة | الرمز البريدي | كوبون |
  छूट | कूपन | पिन कोड: | डाक`);

/** What numbers near it are counted by, so that they are no codes. */
export const numberWords = list(`
  order | invoice | ticket | tracking | reference | ref. | ref: | case | account no | account number | customer | booking |
  receipt | order no | id: | member id | user id | license | suite | p.o. box | phone | tel. | tel: | call us | fax | ip address |
  заказ | счёт | счет | накладн | трек | обращени | тикет | договор | телефон | тел. | артикул |
  pedido | factura | envío | referencia | reserva | teléfono | tel. | cliente n |
  订单 | 单号 | 发票 | 物流 | 运单 | 客服 | 电话 | 编号 | 工单 | 热线 |
  طلب رقم | رقم الطلب | فاتورة | شحنة | تتبع | هاتف | رقم الحجز |
  ऑर्डर | चालान | ट्रैकिंग | फ़ोन | फोन | बुकिंग | टिकट`);

/** What a number measures when it stands before such a word. */
export const unitWords = list(`
  minute | min | hour | second | sec | day | week | month | year | user | people | member | point | credit | coin | follower | item | km | kg |
  usd | eur | gbp | rub | inr | cny | sar | aed | dollar | euro | pound | ruble | rupee | % | kb | mb | gb | px |
  минут | час | секунд | дн | день | недел | месяц | год | г. | руб | балл | пользовател | челов |
  minuto | hora | segundo | día | semana | mes | año | peso | punto | usuario |
  分 | 小时 | 小時 | 秒 | 天 | 日 | 年 | 月 | 元 | 人 | 位 | 积分 | 次 |
  دقيق | دقائق | ساعة | ساعات | ثاني | يوم | أيام | شهر | سنة | ريال | درهم | دولار | نقطة | مستخدم |
  मिनट | घंट | सेकंड | दिन | महीन | साल | वर्ष | रुपये | रुपए | अंक | लोग`);

/** What money is called when it stands before a number. */
export const moneyWords = list(
  "$ | € | £ | ¥ | ₽ | ₹ | us$ | usd | eur | gbp | rub | inr | rs | rs. | rmb | cny | ر.س | ￥",
);

/** What is written on a link that confirms something, or signs in. */
export const linkWords = list(`
  verify | verif | confirm | activate | activat | validate | sign in | sign-in | signin | log in | log-in | login | reset | magic link | complete your | complete registration | finish sign | accept invit | yes, it's me |
  подтверд | активир | войти | вход | сброс | восстанов | завершить регистрац |
  verific | confirm | activa | iniciar sesión | inicia sesión | restablec | acceder | completar el registro | valida |
  验证 | 驗證 | 确认 | 確認 | 激活 | 登录 | 登入 | 重置 | 完成注册 |
  تأكيد | تفعيل | تحقق | التحقق | تسجيل الدخول | إعادة تعيين | إعادة ضبط |
  सत्यापित | सत्यापन | पुष्टि | सक्रिय | लॉग इन | लॉगइन | साइन इन | रीसेट`);

/** What is written on links that lead elsewhere. */
export const otherLinkWords = list(`
  unsubscribe | preferences | privacy | terms | help | support | policy | settings | notification | not you | wasn't you | didn't | not request | report | secure your account | view in browser | view online | download | blog | careers | contact | about | learn more | follow us | app store | google play |
  отпис | конфиденциальн | услови | помощь | поддержк | настройк | не вы | не запрашивали | сообщить |
  darse de baja | cancelar suscripción | privacidad | términos | ayuda | soporte | configuración | no fuiste tú | no has sido tú |
  退订 | 隐私 | 条款 | 帮助 | 设置 | 不是您 | 非本人 | 举报 | 下载 |
  إلغاء الاشتراك | الخصوصية | الشروط | مساعدة | الدعم | الإعدادات | لست أنت | لم تطلب |
  सदस्यता | गोपनीयता | शर्तें | सहायता | मदद | सेटिंग | आप नहीं | अनुरोध नहीं`);

/** What stands in the address of a link that confirms something. */
export const addressWords = list(
  "verif | confirm | activat | validat | magic | signin | sign-in | sign_in | login | log-in | reset | auth | optin | opt-in | register | registration | token= | code= | otp | ticket= | key= | invite",
);

/** What stands in the address of a link that leads elsewhere. */
export const otherAddressWords = list(
  "unsubscribe | unsub | optout | opt-out | preferences | privacy | terms | help. | /help | support | /legal | settings | notifications | apps.apple.com | itunes.apple.com | play.google.com | .png | .jpg | .gif | .css | w3.org | report | /blog | pixel | /track/open | revoke | deny",
);
