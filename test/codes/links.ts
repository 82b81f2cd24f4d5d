import { styled, type Samples } from "./sample.ts";

export const links: Samples = {
  english: [
    {
      name: "a plain text that first says what to do when it was not you",
      from: "Lantern <no-reply@lantern.test>",
      subject: "Your password",
      text: "It may be ignored if you did not request a new one. Click the link below to reset your password.\n\nhttps://lantern.test/password/7f3a9c1e5b2d8846\n",
      link: "https://lantern.test/password/7f3a9c1e5b2d8846",
    },
    {
      name: "a magic link on a button, with the same address below",
      from: "Draftpad <login@draftpad.test>",
      subject: "Your sign-in link for Draftpad",
      html: styled(
        `<p>Hi! Tap the button to sign in. The link works once and for 10 minutes.</p><a href="https://draftpad.test/auth/callback?token=8e1f0c2d-77ab-4c19-9d52-3b6f0a4e21c7">Sign in</a><p>Or copy this address:<br><a href="https://draftpad.test/auth/callback?token=8e1f0c2d-77ab-4c19-9d52-3b6f0a4e21c7">https://draftpad.test/auth/callback?token=8e1f0c2d…</a></p>`,
      ),
      link: "https://draftpad.test/auth/callback?token=8e1f0c2d-77ab-4c19-9d52-3b6f0a4e21c7",
    },
    {
      name: "a link that says only here, wrapped by a counter",
      from: "Meadow Books <club@meadow.test>",
      subject: "Confirm your subscription",
      html: styled(
        `<p><a href="https://lnk.mailcount.test/c/AAv91kqTz04hLm7">Meadow Books</a></p><p>To confirm your e-mail address please click <a href="https://lnk.mailcount.test/c/BBx83jwRy15gKn6">here</a>.</p><p>Click <a href="https://lnk.mailcount.test/c/CCz72huQw26fJp5">here</a> to unsubscribe.</p>`,
      ),
      link: "https://lnk.mailcount.test/c/BBx83jwRy15gKn6",
    },
    {
      name: "verify and not me beside each other",
      from: "Harbor Exchange <no-reply@harborex.test>",
      subject: "Approve this device",
      html: styled(
        `<p>Was it you? 14 March 2025, 14:30 UTC</p><table><tr><td><a href="https://harborex.test/d/9f2c81ab77de4410/deny">No, this wasn't me</a></td><td><a href="https://harborex.test/d/9f2c81ab77de4410/allow">Yes, approve</a></td></tr></table>`,
      ),
      link: "https://harborex.test/d/9f2c81ab77de4410/allow",
    },
    {
      name: "a link to leave is the only one",
      from: "Meadow Books <news@meadow.test>",
      subject: "Ten books for spring",
      html: styled(
        `<p>Our ten favourites.</p><a href="https://meadow.test/unsubscribe?token=BBx83jwRy15gKn6aa">Unsubscribe</a> <a href="https://meadow.test/account/settings">Settings</a>`,
      ),
    },
    {
      name: "a plain link in angle brackets after words",
      from: "Mailing list <confirm-request@lists.test>",
      subject: "confirm 3f0a4e21c78e1f0c2d77ab4c199d523b6f0a4e21",
      text: "We have received a request for subscription of your address.\n\nTo confirm, reply to this letter or visit:\n\n<https://lists.test/mailman/confirm/devel/3f0a4e21c78e1f0c2d77ab4c199d523b6f0a4e21>\n\nQuestions: devel-owner@lists.test",
      link: "https://lists.test/mailman/confirm/devel/3f0a4e21c78e1f0c2d77ab4c199d523b6f0a4e21",
    },
  ],
  russian: [
    {
      name: "ссылка на слове здесь и ссылка для отмены",
      from: "Клуб чтения <club@chtenie.test>",
      subject: "Подтверждение подписки",
      html: styled(
        `<p>Чтобы подтвердить подписку, нажмите <a href="https://go.rassylka.test/t/8kQm2Lr93hTnVx71">здесь</a>.</p><p>Если вы не подписывались, отмените заявку <a href="https://go.rassylka.test/t/4pWz7Hc26fJnRy05">тут</a>.</p>`,
      ),
      link: "https://go.rassylka.test/t/8kQm2Lr93hTnVx71",
    },
    {
      name: "код и кнопка вместе",
      from: "Артель <id@artel.test>",
      subject: "Вход в Артель",
      html: styled(
        `<p>Введите код <b>482 913</b> или нажмите кнопку:</p><a href="https://id.artel.test/enter?ticket=7f3a9c1e5b2d8846aa">Войти</a><p>Это не вы? <a href="https://id.artel.test/alert?ticket=7f3a9c1e5b2d8846aa">Сообщить</a></p>`,
      ),
      code: "482913",
      link: "https://id.artel.test/enter?ticket=7f3a9c1e5b2d8846aa",
    },
  ],
  spanish: [
    {
      name: "botón para activar y botón para borrar",
      from: "Huerto <hola@huerto.test>",
      subject: "Activa tu cuenta",
      html: styled(
        `<p>Gracias por registrarte.</p><a href="https://huerto.test/r/5b2d88467f3a9c1e">Activar mi cuenta</a> <a href="https://huerto.test/r/5b2d88467f3a9c1e/borrar">Yo no me registré</a>`,
      ),
      link: "https://huerto.test/r/5b2d88467f3a9c1e",
    },
    {
      name: "código y enlace de un solo uso",
      from: "Escuela Abierta <acceso@escuela.test>",
      subject: "Entra en Escuela Abierta",
      text: "Tu código: 738204\n\nO entra directamente con este enlace:\nhttps://escuela.test/entrar?k=Zk39dLq0PbW71mXs\n\nPolítica de privacidad: https://escuela.test/privacidad",
      code: "738204",
      link: "https://escuela.test/entrar?k=Zk39dLq0PbW71mXs",
    },
  ],
  chinese: [
    {
      name: "点击这里完成验证",
      from: "文库 <service@wenku.test>",
      subject: "邮箱验证",
      html: styled(
        `<p>亲爱的用户，请点击<a href="https://t.youjian.test/c/9aK2mQx71LrTz04h">这里</a>验证您的邮箱。</p><p>如果不想再收到邮件，请点击<a href="https://t.youjian.test/c/3bW8nHc26fJpRy05">这里</a>退订。</p>`,
      ),
      link: "https://t.youjian.test/c/9aK2mQx71LrTz04h",
    },
    {
      name: "链接写在正文里",
      from: "代码仓 <noreply@cangku.test>",
      subject: "重置您的密码",
      text: "您好：\n\n请在24小时内打开下面的链接重置密码：\nhttps://cangku.test/password/edit?k=7f3a9c1e5b2d8846\n\n如果不是您本人操作，请忽略。帮助：https://cangku.test/help",
      link: "https://cangku.test/password/edit?k=7f3a9c1e5b2d8846",
    },
  ],
  arabic: [
    {
      name: "رابط على كلمة هنا",
      from: "مجتمع بناة <noreply@bunat.test>",
      subject: "أكمل تسجيلك",
      html: styled(
        `<p>لتأكيد بريدك الإلكتروني اضغط <a href="https://go.bareed.test/l/8kQm2Lr93hTnVx71">هنا</a>.</p><p>لم تسجل؟ اضغط <a href="https://go.bareed.test/l/4pWz7Hc26fJnRy05">هنا</a> لإلغاء الاشتراك.</p>`,
        "rtl",
      ),
      link: "https://go.bareed.test/l/8kQm2Lr93hTnVx71",
    },
    {
      name: "رمز ورابط معًا",
      from: "محفظة <id@mahfaza.test>",
      subject: "تسجيل الدخول إلى محفظة",
      html: styled(
        `<p>رمز الدخول <b dir="ltr">738-204</b></p><p>أو:</p><a href="https://mahfaza.test/in/7f3a9c1e5b2d8846aa">تسجيل الدخول</a> <a href="https://mahfaza.test/out/7f3a9c1e5b2d8846aa">لست أنت؟</a>`,
        "rtl",
      ),
      code: "738204",
      link: "https://mahfaza.test/in/7f3a9c1e5b2d8846aa",
    },
  ],
  hindi: [
    {
      name: "कोड और बटन दोनों",
      from: "दुकानदार <id@dukandar.test>",
      subject: "दुकानदार में लॉगिन",
      html: styled(
        `<p>कोड <b>738204</b> डालें या बटन दबाएं।</p><a href="https://dukandar.test/in/7f3a9c1e5b2d8846">लॉगिन करें</a> <a href="https://dukandar.test/madad">मदद</a>`,
      ),
      code: "738204",
      link: "https://dukandar.test/in/7f3a9c1e5b2d8846",
    },
    {
      name: "पासवर्ड बदलने का लिंक",
      from: "मंडली <noreply@mandali.test>",
      subject: "पासवर्ड रीसेट",
      text: "नमस्ते,\n\nपासवर्ड रीसेट करने के लिए यह लिंक खोलें:\nhttps://mandali.test/p?k=4b3a29187f6e5d4c3b\n\nगोपनीयता: https://mandali.test/privacy",
      link: "https://mandali.test/p?k=4b3a29187f6e5d4c3b",
    },
  ],
};
