import { styled, type Sample } from "./sample.ts";

/** The third lot, written after the fixes for the second. */
export const lastHeldOut: Sample[] = [
  {
    name: "a parcel in a locker, with the number that opens it",
    from: "Parcel Point <no-reply@parcelpoint.test>",
    subject: "Your parcel is ready at locker 4821",
    text: "Hi Ann,\n\nYour parcel JD0146 0029 3847 is ready to collect.\n\nLocker: 4821, High Street 12\nPickup PIN: 739204\nCollect by 20 March 2025.\n\nTracking: JD014600293847",
    code: "739204",
  },
  {
    name: "an appointment",
    from: "Dental <desk@dental.test>",
    subject: "Appointment reminder",
    text: "Dear Ann, your appointment is on 14/03/2025 at 14:30. Patient no. 204817. Please use the door code of the building, told at the desk. Call 0161 496 0148.",
  },
  {
    name: "a password for a control panel is no code",
    from: "Hostly <noc@hostly.test>",
    subject: "Your new account",
    text: "Control panel: https://cp.hostly.test:2083\nUsername: ann4821\nPassword: 7Kx2mQ9z\n\nIP: 203.0.113.77\nNameserver port 2048",
  },
  {
    name: "two-step verification was turned off",
    from: "Latch <security@latch.test>",
    subject: "Two-step verification turned off",
    html: styled(
      "<p>Two-step verification codes were turned off for ann4821 on March 14, 2025 2:30 PM (case 884213).</p><p>You will no longer need a code to sign in.</p><a href='https://latch.test/security/review?id=884213'>Review activity</a>",
    ),
  },
  {
    name: "a code under a heading, with a season and gold",
    from: "Quarry <noreply@quarry.test>",
    subject: "Quarry Launcher login",
    html: styled(
      "<h3>LOGIN CODE</h3><table><tr><td><font size='6'>T3X9P</font></td></tr></table><p>Requested 2025-03-14 14:30:22 UTC from 203.0.113.77 (Leeds)</p><p>Season 2025 starts soon: 20000 gold for veterans!</p>",
    ),
    code: "T3X9P",
  },
  {
    name: "квитанция ЖКХ",
    from: "ЖКХ <lk@zhkh.test>",
    subject: "Счёт за март 2025",
    text: "Лицевой счёт: 204817\nКод плательщика 48201933\nК оплате: 4821,50 руб.\nОплатить до 25.03.2025\nQR-код в приложении.",
  },
  {
    name: "число без слова код в той же строке",
    from: "Гараж <noreply@garage.test>",
    subject: "Подтверждение адреса",
    html: styled(
      "<p>Привет! Введите на сайте число</p><p><b>739204</b></p><p>чтобы подтвердить почту. Код одноразовый.</p>",
    ),
    code: "739204",
  },
  {
    name: "возврат билета",
    from: "Билеты <noreply@bilety.test>",
    subject: "Возврат билета",
    text: "Билет 48201933 возвращён. Код бронирования K7M2Q9. Сумма 2048 руб. поступит на карту *4821 до 20.03.",
  },
  {
    name: "clave temporal de una clínica",
    from: "Clínica <citas@clinica.test>",
    subject: "Accede a tus resultados",
    html: styled(
      "<p>Para ver tus resultados usa tu clave temporal</p><p style='font-size:26px'>B7K2-4MQ9</p><p>Historia clínica 204817. Válida 72 horas.</p><a href='https://clinica.test/resultados'>Ver resultados</a>",
    ),
    code: "B7K2-4MQ9",
  },
  {
    name: "recibo de un seguro",
    from: "Seguros <cobros@seguros.test>",
    subject: "Recibo de tu póliza",
    text: "Póliza 48201933\nMandato SEPA 204817\nImporte 249,90 EUR\nFecha de cargo 31/03/2025\nConsulta el código de conducta en nuestra web.",
  },
  {
    name: "水电账单",
    from: "供电 <bill@gongdian.test>",
    subject: "2025年3月账单",
    text: "户号：48201933\n本期电量 2048 度\n应缴金额 345.20 元\n缴费代码：603817\n客服 95598",
  },
  {
    name: "学校邮箱验证",
    from: "学堂 <noreply@xuetang.test>",
    subject: "[学堂] 注册验证码：58203",
    html: styled(
      "<p>同学你好，</p><p>欢迎加入学堂！请在注册页面填写邮件标题中的验证码。</p><p>© 2013-2025 学堂</p>",
    ),
    code: "58203",
  },
  {
    name: "رمز الدعوة والدخول",
    from: "نادي <hi@nadi.test>",
    subject: "مرحبًا بك في النادي",
    html: styled("<p>رمز الدخول المؤقت:</p><p><b>٧٣٩-٢٠٤</b></p><p>رقم العضوية ٤٨٢٠١٩</p>", "rtl"),
    code: "739204",
  },
  {
    name: "إشعار تحويل",
    from: "بنك <info@bank2.test>",
    subject: "إشعار تحويل",
    text: "تم تحويل 4821 ريال إلى حساب رقم 20481739. المرجع 884213. لا تشارك رمز التحقق مع أي شخص.",
  },
  {
    name: "रेल टिकट",
    from: "रेल <ticket@rail2.test>",
    subject: "टिकट बुक हुआ",
    text: "पीएनआर 8402913301, गाड़ी 12951, दिनांक 14-03-2025\nकुल किराया ₹2048\nओटीपी किसी को न बताएं।",
  },
  {
    name: "सरकारी पोर्टल",
    from: "पोर्टल <no-reply@portal.test>",
    subject: "ईमेल सत्यापन",
    text: "महोदय/महोदया,\n\nईमेल सत्यापन हेतु ओ.टी.पी. 482913 है। आवेदन संख्या 20931187.\n\nधन्यवाद",
    code: "482913",
  },
  {
    name: "a link with a short secret, and four digits",
    from: "Pennant <hi@pennant.test>",
    subject: "Log in to Pennant",
    html: styled(
      "<p>Hello!</p><p><a href='https://pnt.test/l/Qz8kR2vT1x'>Log in to Pennant</a></p><p>or paste this one-time code in the app: <code>quick 8412</code></p>",
    ),
    code: "8412",
    link: "https://pnt.test/l/Qz8kR2vT1x",
  },
];
