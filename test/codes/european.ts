import { styled, type Sample } from "./sample.ts";

export const russian: Sample[] = [
  {
    name: "код в теме и в тексте",
    from: "ВКонтакте <admin@notify.vk.com>",
    subject: "Код подтверждения: 739201",
    html: styled(`<p>Здравствуйте!</p><p>Ваш код подтверждения — <b>739201</b>. Он действует 15 минут.</p>`),
    code: "739201",
  },
  {
    name: "код отдельной строкой после слов",
    from: "Яндекс ID <noreply@id.yandex.ru>",
    subject: "Подтверждение входа",
    html: styled(
      `<p>Чтобы войти, введите одноразовый код:</p><h1>48 29 13</h1><p>Никому его не сообщайте. ООО «Пример», 2001–2025</p>`,
    ),
    code: "482913",
  },
  {
    name: "код перед словом",
    from: "Авито <noreply@avito.ru>",
    subject: "Вход в аккаунт",
    text: "50173 — код для входа в Авито.\n\nТелефон поддержки: 8 800 600-00-01",
    code: "50173",
  },
  {
    name: "пин-код рядом с ценой и датой",
    from: "Банк <info@bank.test>",
    subject: "Оплата 14.03.2025",
    text: "Сумма 12 500 руб. Заказ 8402913. Код: 7302. Никому не говорите код.",
    code: "7302",
  },
  {
    name: "буквы и цифры",
    from: "Форум <robot@forum.test>",
    subject: "Активация учётной записи",
    text: "Ваш код активации:\n\nK8M2-Q4ZT\n\nили перейдите по ссылке\nhttps://forum.test/activate/7f3a9c1e5b2d8846\n",
    code: "K8M2-Q4ZT",
    link: "https://forum.test/activate/7f3a9c1e5b2d8846",
  },
  {
    name: "только ссылка",
    from: "Хабр <noreply@habr.test>",
    subject: "Подтвердите адрес электронной почты",
    html: styled(
      `<p>Осталось подтвердить почту.</p><a href="https://habr.test/r/9a8b7c6d5e4f3a2b1c">Подтвердить</a><p><a href="https://habr.test/unsub/9a8b7c6d5e4f3a2b1c">Отписаться</a></p>`,
    ),
    link: "https://habr.test/r/9a8b7c6d5e4f3a2b1c",
  },
  {
    name: "промокод не код",
    from: "Магазин <sale@shop.test>",
    subject: "Скидка 20% до 31 марта",
    text: "Ваш промокод: VESNA25. Скидка до 1500 рублей. Кодекс клиента, 2025 год. Заказов: 15000.",
  },
];

export const spanish: Sample[] = [
  {
    name: "código en el asunto",
    from: "Netflix <info@account.netflix.com>",
    subject: "Tu código de inicio de sesión: 4829",
    html: styled(
      `<p>Introduce este código para iniciar sesión</p><td style="letter-spacing:7px">4829</td><p>Caduca en 15 minutos.</p>`,
    ),
    code: "4829",
  },
  {
    name: "código con espacio",
    from: "Mercado <no-reply@mercado.test>",
    subject: "Verifica tu correo",
    text: "Hola, Ana:\n\nTu código de verificación es 920 184.\n\nNo lo compartas. Teléfono: +34 912 345 678. Pedido 4820193.",
    code: "920184",
  },
  {
    name: "clave dinámica",
    from: "Banco <avisos@banco.test>",
    subject: "Clave de un solo uso",
    text: "Compra de 1.250,00 € el 14/03/2025.\nClave: 83920174\nSi no fuiste tú, llama al 900 123 456.",
    code: "83920174",
  },
  {
    name: "código delante de la palabra",
    from: "TikTok <register@account.tiktok.com>",
    subject: "603817 es tu código de verificación",
    html: styled(
      `<p>Para verificar tu cuenta, introduce este código en TikTok:</p><p>603817</p><p>Los códigos de verificación caducan después de 48 horas.</p>`,
    ),
    code: "603817",
  },
  {
    name: "enlace para restablecer",
    from: "Foro <no-responder@foro.test>",
    subject: "Restablecer contraseña",
    html: styled(
      `<p>Haz clic para elegir otra contraseña.</p><a href="https://foro.test/cuenta/nueva?token=Zk39dLq0PbW71mXs">Restablecer contraseña</a><a href="https://foro.test/ayuda">Ayuda</a>`,
    ),
    link: "https://foro.test/cuenta/nueva?token=Zk39dLq0PbW71mXs",
  },
  {
    name: "letras y cifras en líneas distintas",
    from: "Juegos <hola@juegos.test>",
    subject: "Código de seguridad",
    html: styled(
      `<p>Tu código de seguridad:</p><div>7</div><div>K</div><div>2</div><div>9</div><div>M</div><div>4</div>`,
    ),
    code: "7K29M4",
  },
  {
    name: "un cupón no es un código",
    from: "Tienda <ofertas@tienda.test>",
    subject: "Tu descuento te espera",
    text: "Usa el código promocional VERANO2025 y ahorra un 20 %. Código postal 28013 Madrid. Más de 15000 usuarios.",
  },
];
