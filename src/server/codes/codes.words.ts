// Words near codes and links in the six languages of the shop and similar ones. All lower case.

const list = (words: string) =>
  words
    .split("|")
    .map((word) => word.trim())
    .filter(Boolean);

export const codeWords = list(`
  code | passcode | one-time | one time pass | otp | o.t.p | pin | verification number | verification id |
  код | кода | коде | коду | кодом | одноразов | пин |
  código | codigo | clave | contraseña temporal | contraseña de un solo uso |
  验证码 | 驗證碼 | 校验码 | 校驗碼 | 确认码 | 確認碼 | 动态码 | 动态密码 | 動態密碼 | 安全码 | 授权码 | 登录码 | 激活码 | 邀请码 | 识别码 | 一次性密码 | 一次性代码 | 安全代码 | 验证代码 | 登录代码 | 您的代码 | 的代码 | 重置代码 | 重設代碼 | 驗證代碼 | 安全代碼 | 以下代碼 | 以下代码 | 口令 |
  رمز | كود | الرقم السري | كلمة المرور لمرة واحدة | كلمة مرور لمرة واحدة | رقم التحقق |
  कोड | ओटीपी | ओ.टी.पी | पिन | वन-टाइम पासवर्ड | वन टाइम पासवर्ड | सत्यापन संख्या |
  codice | cod | codul | codi | kode | koden | kod | einmalpasswort | einmalkennwort | kód | kódja | kódot | kódod | kóda | koodi | kood | kodas | kodą | kods | kodu | kodea | koda | kodo | kodi | kodunuz | kodingiz | kodhi | kôd | kòd | kóði | kóðinn | kota | skod | cód | côd | kodiċi | msimbo | ikhodi | kodigo |
  engångs | engangspass | wachtwoord voor eenmalig | eenmalig wachtwoord | jednorazow | jednorázov | еднократн | шифра | monouso | usage unique | parolă unică | senha única | tek kullanımlık | sandi sekali |
  mật mã | mã xác | mã otp | mã đăng | mã của bạn | mã bên dưới | mã sau | mã này | mã truy | mã số | mã là | mã để | mã dùng | ma xac | ma otp | ma dang nhap | ma cua ban | ma bao mat | ma kich hoat | รหัสยืนยัน | รหัส otp | รหัสของคุณ | รหัส |
  κωδικ | կոդ | კოდ | קוד | کد تأیید | کد تایید | کد ورود | کد فعال | کد شما | کد زیر | کد یکبار | کد بازنشانی | کد امنیتی | کد یک‌بار | کد موقت | рамз | ծածկագ | ኮድ | ကုဒ် | ລະຫັດ | کۆد | کوډ | סיסמה חד | סיסמא חד | کوڈ | ڪوڊ | កូដ | କୋଡ | කේතය | পাসকোড | কোড | ওটিপি | குறியீ | కోడ్ | ಕೋಡ್ | കോഡ് | કોડ | ਕੋਡ | コード | 認証番号 | 暗証番号 | 인증번호 | 코드`);

/** Names of a code only right before it: "Password: 4829". */
export const weakCodeWords = list(`
  password | token | รหัสผ่าน | пароль | contraseña | 密码 | 密碼 | كلمة المرور | كلمة مرور | पासवर्ड`);

/** Codes of other kinds: the value behind such a name is not for signing in. */
export const otherCodeWords = list(`
  zip code | zipcode | postal code | postcode | post code | country code | area code | region code | qr code | qr-code | barcode | bar code |
  referral code | code of conduct | error code | status code | source code | dress code | item code | product code | sku | branch code |
  customer code | client code | store code | booking code | reservation code | payment code | gate code | swift code | sort code | tracking code | tax code | unicode | backup code |
  почтовый индекс | индекс | код страны | код региона | код города | код ошибки | код товара | код отделения | код подразделения | код клиента | код бронирования | код брони | код платежа | код заказа | код плательщика | код организации | штрихкод | штрих-код | исходный код | резервный код |
  código postal | código de país | código de barras | código de error | código de producto | código de cliente | código de reserva | código de pago | código de área | código fuente | código de seguimiento |
  邮编 | 郵遞區號 | 邮政编码 | 错误代码 | 发票代码 | 二维码 | 条形码 | 源代码 | 区号 | 国家代码 | 机构代码 | 备用验证码 | 备用码 | 股票代码 |
  الرمز البريدي | رمز الدولة | رمز الخطأ | رمز المنتج | الباركود | رمز المدينة | رمز المنطقة | رمز العميل | رمز الحجز | رمز الدفع | رمز qr |
  पिन कोड | पिनकोड | डाक | क्यूआर कोड | देश कोड | क्षेत्र कोड | ग्राहक कोड | बुकिंग कोड | भुगतान कोड | त्रुटि कोड | बैकअप कोड | एसटीडी कोड | बारकोड`);

/** Words that make a "code" in the same sentence a discount. */
export const offerWords = list(`
  promo | promotional | discount | coupon | voucher | gift card | checkout | % off |
  промокод | промо-код | скидк | скидоч | купон |
  descuento | cupón | promocional |
  优惠 | 折扣 | 红包 | 立减 |
  خصم | قسيمة | كوبون |
  छूट | कूपन`);

/** A number right behind is no code. */
export const numberWords = list(`
  order | invoice | ticket | tracking | tracking number | reference | ref | case | request | request id | account | acct | customer | booking |
  receipt | id | license | suite | po box | p.o. box | phone | tel | call | fax | ip | ip address | event | session | trace | build | version | issue | page | flight | parcel |
  total | amount | sum | price | balance | card | ending in | contract | since | year | street |
  заказ | счёт | счет | накладн | трек | обращени | тикет | договор | телефон | тел | артикул | карт | сумма | итого | цена | баланс | выпуск | запрос | заявк | абонент | инн | фн | рейс | стр | год | окпо |
  pedido | factura | envío | referencia | reserva | teléfono | tel | cliente | tarjeta | terminada en | importe | total | precio | seguimiento | caso | número de | página | año | carné | expediente |
  订单 | 单号 | 發票 | 发票 | 号码 | 物流 | 运单 | 客服 | 电话 | 编号 | 工单 | 热线 | 尾号 | 金额 | 合计 | 价格 | 余额 | 账号 | 帐号 | 备案 |
  رقم الطلب | طلب رقم | طلبك رقم | فاتورة | شحنة | التتبع | تتبع | هاتف | رقم الحجز | البلاغ | المبلغ | الإجمالي | السعر | بطاقة | بالرقم | العدد | حساب |
  ऑर्डर | चालान | ट्रैकिंग | फ़ोन | फोन | बुकिंग | टिकट | राशि | कुल | कार्ड | हेल्पलाइन | पीएनआर | खाता संख्या`);

/** What a reader is told to do with a code. Words of this and the next lists may go on: "introdu" is also "introduzca". */
export const askWords = list(`
  use | enter | type | input | paste | submit | provide | fill in | key in | insert | copy |
  введите | введи | вводите | укажите | используйте | наберите | вставьте | впишите | скопируйте |
  introdu | ingres | escrib | usa | use | utili | teclea | digit | pega | copia |
  输入 | 輸入 | 填写 | 填寫 | 填入 | 使用 | 键入 |
  أدخل | ادخل | إدخال | استخدم | استعمل | اكتب | انسخ |
  दर्ज | डालें | उपयोग | इस्तेमाल | टाइप | लिखें |
  saisi | entrez | tapez | geben sie | gib | verwende | nutze | inseri | usare | digite | girin | kullan | masukkan | gunakan | nhập | sử dụng |
  入力 | 입력 | wpisz | podaj | użyj | voer | vul | gebruik | ange | använd | skriv | zadejte | použij`);

/** What a code is for. */
export const purposeWords = list(`
  verify | verif | confirm | sign in | signin | sign-in | sign up | signed up | signing up | log in | login | log-in | complete | finish | finali | registration | register | create your account |
  activat | authenticat | authoriz | authoris | access your | access to your | it is you | it's you | it’s you | your identity | reset your | change your password | recover |
  подтверд | подтверж | войти | войдите | вход | регистрац | активац | активир | авториз | сброс | восстанов | завершить |
  verific | iniciar sesi | inicia sesi | inicio de sesi | acceder | accede | acceso | registr | activ | restablec | identidad | eres tú | completar |
  验证 | 驗證 | 确认 | 確認 | 登录 | 登錄 | 登入 | 注册 | 註冊 | 激活 | 重置 | 身份 |
  تأكيد | تفعيل | تحقق | التحقق | تسجيل | للدخول | هويت | الهوية | إعادة تعيين | إكمال |
  सत्यापित | सत्यापन | पुष्टि | लॉग इन | लॉगिन | लॉगइन | साइन | पंजीकर | सक्रिय | पहचान |
  vérifi | connexion | connecter | inscri | bestätig | anmeld | registrier | verifizier | acced | verifica | conferm | cadastro | doğrula | giriş | kayıt | onayla | masuk | konfirmasi |
  xác minh | xác nhận | xac minh | xac nhan | đăng nhập | đăng ký | ログイン | 認証 | 登録 | 로그인 | 인증 | 확인 | 가입 | potwierd | zalog | rejestr | bevestig | inlog | aanmeld | bekräft | logga in | ověř | přihl`);

/** What a number is called that is no "code". */
export const digitWords = list(`
  this number | number below | following number | numbers below | digits | digit number | this sequence |
  это число | этот номер | цифры | цифр | число |
  dígitos | este número | siguiente número | cifras |
  位数字 | 數字 | 数字 |
  هذا الرقم | الرقم التالي | أرقام | الأرقام |
  अंक | अंकों | यह संख्या | इस संख्या | नंबर |
  chiffres | ziffern | cifre | rakamı | angka | chữ số | cyfr | cijfers | siffror`);

/** A code is valid for a short time, and for nobody else. */
export const secretWords = list(`
  expire | valid for | do not share | don't share | don’t share | never share | with anyone | do not forward | keep it secret |
  действител | действует | истек | никому | не сообщайте | не передавайте |
  caduc | expira | vence | válido durante | no lo compart | no la compart | no compart |
  有效 | 过期 | 過期 | 失效 | 请勿 | 勿泄 | 不要告诉 | 不要向 |
  صالح | صلاحية | تنتهي | لا تشارك | يُرجى عدم مشاركة | عدم مشاركة |
  मान्य | समाप्त | साझा न | किसी को न |
  gültig | läuft ab | valable | expirer | scade | geçerli | berlaku | hiệu lực | 有効 | 유효`);

/** In the same sentence: the code is no longer valid. */
export const oldWords = list(`
  previous | old code | earlier code | older code | has expired | no longer | is invalid now | was used |
  предыдущ | прежн | старый | больше не | истёк | истек | недействител | устарел |
  anterior | caducó | ha caducado | ya no | no funciona |
  之前 | 旧的 | 舊的 | 旧验证码 | 原验证码 | 已失效 | 已过期 | 失效了 |
  السابق | القديم | لم يعد | انتهت صلاحيته | منتهي |
  पिछला | पिछले | पुराना | पुराने | अब मान्य नहीं | समाप्त हो चुका`);

/** On the line above a quoted letter, with a date. */
export const wroteWords = list(
  "wrote | original message | написал | пишет | escribió | mensaje original | 写道 | 寫道 | 原始邮件 | كتب | ने लिखा | schrieb | a écrit",
);

export const unitWords = list(`
  minute | min | hour | second | sec | day | week | month | year | user | people | member | point | credit | coin | follower | item | km | kg | line | pull request |
  usd | usdt | eur | gbp | rub | inr | cny | sar | aed | dollar | euro | pound | ruble | rupee | % | kb | mb | gb | px |
  минут | час | секунд | дн | день | недел | месяц | год | г. | руб | балл | пользовател | челов |
  minuto | hora | segundo | día | semana | mes | año | peso | punto | usuario |
  分 | 小时 | 小時 | 秒 | 天 | 日 | 年 | 月 | 元 | 人 | 位 | 积分 | 次 |
  دقيق | دقائق | ساعة | ساعات | ثاني | يوم | أيام | شهر | سنة | ريال | درهم | دولار | نقطة | مستخدم | ر.س |
  मिनट | घंट | सेकंड | दिन | महीन | साल | वर्ष | रुपये | रुपए | अंक | लोग`);

export const moneyWords = list(
  "$ | € | £ | ¥ | ₽ | ₹ | us$ | usd | eur | gbp | rub | inr | rs | rs. | rmb | cny | ر.س | ￥",
);

export const linkWords = list(`
  verify | verif | confirm | activat | validate | approve | allow | authoriz | sign in | sign-in | signin | sign me in | log in | log-in | log me in | login | reset | recover | set password | set a password | new password | magic link | complete your | complete registration | finish sign | accept invit | it's me | it was me |
  подтверд | подтверж | активир | активац | войти | вход | сброс | восстанов | завершить регистрац | завершите регистрац | новый пароль | разрешить | это я |
  verific | confirm | activa | iniciar sesión | inicia sesión | restablec | recuper | acceder | accede | entrar | entra | completar el registro | valida | contraseña nueva | nueva contraseña | crear una contraseña | autoriza | soy yo |
  验证 | 驗證 | 确认 | 確認 | 激活 | 啟用 | 登录 | 登入 | 重置 | 重設 | 找回 | 设置密码 | 完成注册 | 是我 |
  تأكيد | تفعيل | تحقق | التحقق | تسجيل الدخول | إعادة تعيين | إعادة ضبط | استعادة | الموافقة | أكد |
  सत्यापित | सत्यापन | पुष्टि | सक्रिय | लॉग इन | लॉगइन | लॉगिन | साइन इन | रीसेट`);

/** Labels that say nothing: the sentence around the link or the subject decides. */
export const hereWords = list(`
  here | this link | click | link below | button | continue | get started | go | open |
  здесь | сюда | тут | по ссылке | ссылк | перейти | продолжить |
  aquí | este enlace | enlace | pulsa | continuar |
  这里 | 此处 | 这儿 | 點此 | 点此 | 链接 | 继续 |
  هنا | الرابط | متابعة |
  यहाँ | यहां | लिंक | जारी रखें`);

export const otherLinkWords = list(`
  unsubscribe | preferences | privacy | terms | help | support | policy | settings | notification | not you | wasn't you | not me | wasn't me | didn't | did not | not request | deny | decline | reject | cancel | report | secure your account | lock your | view in browser | view online | download | blog | careers | contact | about us | learn more | follow us | app store | google play |
  отпис | конфиденциальн | услови | помощь | поддержк | настройк | не вы | не я | не подпис | не запрашивали | не регистрир | отклонить | отмен | сообщить | сообщите | смените пароль |
  darse de baja | cancelar | cancela | privacidad | términos | ayuda | soporte | configuración | no fuiste tú | no has sido tú | no fui yo | no soy yo | no me registré | rechazar | protege tu |
  退订 | 隐私 | 条款 | 帮助 | 设置中心 | 不是您 | 不是我 | 非本人 | 举报 | 取消 | 拒绝 | 下载 |
  إلغاء | الخصوصية | الشروط | مساعدة | المساعدة | الدعم | الإعدادات | لست أنت | لست أنا | لم تطلب | لم تسجل | رفض | الإبلاغ |
  सदस्यता | गोपनीयता | शर्तें | सहायता | मदद | सेटिंग | आप नहीं | आपने नहीं | मैं नहीं | अनुरोध नहीं | रद्द`);

/** What to do with a letter that one did not ask for. */
export const ignoreWords = list(`
  ignore | disregard | delete this e | no action is |
  игнорир | не обращайте внимания | удалите это письмо | ничего не делайте |
  ignora | caso omiso | haz caso | elimina este |
  忽略 | 无视 | 不予理会 | 删除此 | 略過 |
  تجاهل | تجاهله | إهمال |
  अनदेखा | नज़रअंदाज़ | नजरअंदाज | ध्यान न दें |
  ignorier | ignorez | ne tenez pas compte | ignorar | ignore- | desconsider | görmezden | dikkate alma | yok say | abaikan | bỏ qua | 無視 | 무시 | zignor | negeer | ignorer`);

export const addressWords = list(
  "verif | confirm | activat | validat | magic | signin | sign-in | sign_in | login | log-in | reset | auth | optin | opt-in | register | registration | token= | code= | otp | ticket= | key= | invite",
);

export const otherAddressWords = list(
  "unsubscribe | unsub | optout | opt-out | preferences | privacy | terms | help. | /help | support | /legal | settings | notifications | apps.apple.com | itunes.apple.com | play.google.com | .png | .jpg | .gif | .css | w3.org | report | /blog | pixel | /track/open | revoke | deny | decline | reject",
);
