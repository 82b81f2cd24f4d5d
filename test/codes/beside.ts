import { styled, type Samples } from "./sample.ts";

/** Codes among years, prices, phone numbers, orders, dates, addresses and older codes. */
export const beside: Samples = {
  english: [
    {
      name: "a code of a shop between order, total and post code",
      from: "Marigold Market <orders@marigold.test>",
      subject: "Confirm your guest order",
      html: styled(
        `<p>Order number: 48201933<br>Total: 1284.50 USD (incl. 2025 eco fee)<br>Deliver to: 4821 Oak Avenue, Denver, CO 80202</p><p>To see your order, enter this code: <b>739201</b></p><p>Questions? Call 1-303-555-0148, Mon-Fri 9-17.</p>`,
      ),
      code: "739201",
    },
    {
      name: "an older code that is called so",
      from: "Beacon <security@beacon.test>",
      subject: "Your new Beacon code",
      text: "The code 381592 that we sent at 14:02 has expired.\n\nYour new code is 204817. The previous code 381592 no longer works.",
      code: "204817",
    },
    {
      name: "a code beside the hexadecimal names of a request",
      from: "Latchkey <noreply@latchkey.test>",
      subject: "Latchkey one-time code",
      text: "Use 60382174 as your one-time code.\n\nRequested from 2001:db8:4821:1f::9a, user agent Mozilla/5.0 (X11; Linux x86_64; rv:128.0), session 9f86d081, trace 4bf92f3577b34da6.\nTheme colour #482913.",
      code: "60382174",
    },
    {
      name: "a code of a crypto exchange beside an amount and an address",
      from: "Harbor Exchange <no-reply@harborex.test>",
      subject: "[Harbor] Withdrawal confirmation 2025-03-14 14:30:05 (UTC)",
      html: styled(
        `<p>You are withdrawing 1500 USDT to 0x41af82c93d6610b7.</p><p>Confirmation code</p><h1>920184</h1><p>Anti-phishing word: heron2019</p>`,
      ),
      code: "920184",
    },
  ],
  russian: [
    {
      name: "код между заказом, суммой и индексом",
      from: "Дом и сад <zakaz@domisad.test>",
      subject: "Получение заказа 48201933",
      text: "Заказ 48201933 ждёт вас по адресу: 630099, Новосибирск, Красный пр., 48.\nИтого: 12500\nКод получения: 7302\nХраним до 20.03.2025. Тел. 8-800-555-01-48.",
      code: "7302",
    },
    {
      name: "прежний код больше не действует",
      from: "Сигнал <noreply@signal-box.test>",
      subject: "Новый код",
      text: "Предыдущий код 381592 больше не действует.\nВаш новый код: 204817",
      code: "204817",
    },
    {
      name: "вход с кодом рядом с адресом и устройством",
      from: "Единый вход <id@edvhod.test>",
      subject: "Код подтверждения входа",
      html: styled(
        `<p>Код: <b>0482</b></p><table><tr><td>IP-адрес</td><td>203.0.113.77</td></tr><tr><td>Устройство</td><td>Pixel 8, Android 15</td></tr><tr><td>Время</td><td>14 марта 2025 г., 14:30 МСК</td></tr><tr><td>Номер обращения</td><td>20931187</td></tr></table>`,
      ),
      code: "0482",
    },
  ],
  spanish: [
    {
      name: "clave de una compra con tarjeta",
      from: "Caja Norte <alertas@cajanorte.test>",
      subject: "Autoriza tu compra",
      text: "Compra en LIBRERIA SOL 2025 por 1.249,90 EUR con tu tarjeta terminada en 4821.\nClave de autorización: 920184\nSi no reconoces la compra llama al 900 102 030.",
      code: "920184",
    },
    {
      name: "código anterior y código nuevo",
      from: "Vecinos <soporte@vecinos.test>",
      subject: "Re: No me llega el código",
      text: "Hola:\n\nAquí tienes uno nuevo, tu código es 738204.\n\nEl vie, 14 mar 2025 a las 14:30, Ana (<ana@example.test>) escribió:\n> Me llegó el código 381592 pero no funciona.",
      code: "738204",
    },
    {
      name: "código junto a un pedido y un código postal",
      from: "Ferretería Luz <pedidos@ferreluz.test>",
      subject: "Recoge tu pedido 4820193",
      html: styled(
        `<p>Pedido 4820193, total 1299 €.</p><p>Muestra este código en la tienda</p><p><b>603 817</b></p><p>Avenida del Puerto 2048, 46023 Valencia</p>`,
      ),
      code: "603817",
    },
  ],
  chinese: [
    {
      name: "验证码和尾号、金额、时间",
      from: "江南银行 <ebank@jiangnan.test>",
      subject: "交易验证",
      text: "您尾号4821的卡于2025年3月14日14:30消费12500.00元，验证码739201，请勿告知他人。客服95518。",
      code: "739201",
    },
    {
      name: "新旧两个验证码",
      from: "书友会 <help@shuyou.test>",
      subject: "新的验证码",
      text: "您之前的验证码 381592 已失效。\n新的验证码是 204817，30分钟内有效。",
      code: "204817",
    },
    {
      name: "取件码旁边的单号和电话",
      from: "驿站 <notice@yizhan.test>",
      subject: "包裹已到",
      text: "运单号 7731482913 已到驿站。\n提货验证码：8294\n营业时间 9:00-21:00，电话 13800138000，邮编 310000。",
      code: "8294",
    },
  ],
  arabic: [
    {
      name: "رمز بين المبلغ والبطاقة والتاريخ",
      from: "بنك المرفأ <alerts@marfa.test>",
      subject: "عملية شراء عبر الإنترنت",
      text: "عملية بمبلغ 1250.00 ر.س من بطاقتك المنتهية بالرقم 4821 في 14/03/2025 14:30.\nرمز التحقق: 920184\nللاستفسار 920001234.",
      code: "920184",
    },
    {
      name: "رمز قديم ورمز جديد",
      from: "ساحة <support@saha.test>",
      subject: "رمز جديد",
      text: "الرمز السابق 381592 لم يعد صالحًا.\nرمزك الجديد هو: 204817",
      code: "204817",
    },
    {
      name: "رمز الاستلام مع رقم الطلب والرمز البريدي",
      from: "سلة <orders@salla-box.test>",
      subject: "طلبك جاهز للاستلام",
      html: styled(
        `<p>رقم الطلب 84029133</p><p>رمز الاستلام</p><h2>7391</h2><p>العنوان: شارع الملك 2048، الرياض 11564. الهاتف 0112345678</p>`,
        "rtl",
      ),
      code: "7391",
    },
  ],
  hindi: [
    {
      name: "कोड के पास राशि, कार्ड और तारीख",
      from: "सागर बैंक <alerts@sagarbank.test>",
      subject: "ऑनलाइन लेनदेन",
      text: "आपके कार्ड 4821 से 14-03-25 को 12500 रुपये का लेनदेन।\nओटीपी 739201 है। हेल्पलाइन 18001234567.",
      code: "739201",
    },
    {
      name: "पुराना और नया कोड",
      from: "चौपाल <help@chaupal.test>",
      subject: "नया कोड",
      text: "आपका पिछला कोड 381592 अब मान्य नहीं है।\nआपका नया कोड 204817 है।",
      code: "204817",
    },
    {
      name: "डिलीवरी कोड, ऑर्डर और पिन कोड",
      from: "झटपट <orders@jhatpat.test>",
      subject: "आपका ऑर्डर आज आएगा",
      html: styled(
        `<p>ऑर्डर संख्या 84029133, कुल ₹1,299</p><p>डिलीवरी के समय यह कोड बताएं: <b>8294</b></p><p>पता: सेक्टर 21, नोएडा 201301</p>`,
      ),
      code: "8294",
    },
  ],
};
