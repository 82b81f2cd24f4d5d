// Examples of the calls of an account: who enters it, and its tokens.
const token = "Zk3Qp8sV1nB6xT0wLr5YhC9dJm2GfA7e";
const limited = {
  id: "70000000003",
  name: "checker",
  sites: ["instagram.com"],
  price_max: "0.01",
  budget_day: "5.0",
  spent_today: "0.0035",
  created_at: 1_795_000_000,
};
const session = {
  id: "93847561029384",
  own: true,
  way: "password",
  program: "Firefox, Windows",
  network: "203.0.113.7",
  created_at: 1_795_258_800,
  used_at: 1_795_262_400,
};
const factor = {
  id: "82736450192837",
  kind: "passkey",
  name: "Work laptop",
  created_at: 1_795_258_800,
} as const;
const recoveryCodes = ["k7pm-w2xd-9fqa-t4hr", "b3nz-6ycv-m8sj-e5gu"];
const ticket = "q0Zb4wYkS8v1mJxT2rNfH6dLcP9aUeGiRo3sKtWyVxM";
const passkeyAsked = { challenge: ticket, rpId: "postern.example", timeout: 300_000 };

export const accountExamples = {
  authorize: {
    ask: { email: "you@example.com", password: "meadow-lantern", captcha: "eyJjaGFsbGVuZ2UiOnt9fQ" },
    reply: { message: "", data: { token } },
  },
  registration: {
    ask: { email: "you@example.com", password: "meadow-lantern", recaptcha: "eyJjaGFsbGVuZ2UiOnt9fQ" },
    reply: { message: "", token, data: { token } },
  },
  activate: { ask: { code: "482910" }, reply: { message: "" } },
  sendNewCode: { ask: {}, reply: { message: "" } },
  sendCodeReset: {
    ask: { email: "you@example.com", captcha: "eyJjaGFsbGVuZ2UiOnt9fQ" },
    reply: { message: "" },
  },
  changePassword: {
    ask: { email: "you@example.com", code: "482910", password: "lantern-meadow" },
    reply: { message: "" },
  },
  information: {
    ask: {},
    reply: {
      data: {
        id: "1001",
        name: "you",
        email: "you@example.com",
        avatar: 0,
        active: true,
        token,
        balance: "1.25",
        is_investor: false,
        is_admin: false,
        telegramConfirmed: false,
        socials: [{ is_auth: 0 as const }],
        mode: "user" as const,
        created_at: 1_795_000_000,
        referrals: {
          link: "https://postern.example/?ref=nora",
          word: "nora",
          earned: "1.75",
          payed: "1.0",
          payed_date: "2026-11-02",
          to_withdraw: "0.75",
          held: "0.0",
          date: "2026-10-01",
          count: 12,
        },
        soft: {
          id: "1001",
          earned: "0.0",
          payed: "0.0",
          payed_date: null,
          to_withdraw: "0.0",
          held: "0.0",
          count: 0,
        },
      },
    },
  },
  avatar: { ask: { id: "1001" }, reply: { avatar: 0 } },
  chooseAvatar: { ask: { userId: "1001", avatar: "3" }, reply: { avatar: 3 } },
  replaceToken: { ask: {}, reply: { message: "token replaced", data: { token } } },
  telegramLink: {
    ask: {},
    reply: {
      data: {
        link: "https://t.me/postern_example_bot?start=auth_9fK2mQx7TzR4bV8nLw3cYh6JdS1gPa5E",
        expires_at: 1_795_259_400,
      },
    },
  },
  sessions: { ask: {}, reply: { data: [session] } },
  endSession: { ask: { id: session.id }, reply: {} },
  endOtherSessions: { ask: {}, reply: { ended: 2 } },
  signOut: { ask: {}, reply: { ended: true } },
  securityEvents: {
    ask: {},
    reply: {
      data: [
        {
          at: 1_795_258_800,
          call: "authorize",
          refused: "invalid password",
          network: "203.0.113.7",
          program: "Firefox, Windows",
        },
      ],
      next: "1795258800000.93847561029384",
    },
  },
  factors: { ask: {}, reply: { data: [factor], recovery_left: 9, passkeys: true, required: false } },
  beginPasskey: {
    ask: {},
    reply: {
      options: {
        challenge: ticket,
        rp: { id: "postern.example", name: "Postern" },
        user: { id: "mE2uQ4nS1aY", name: "nora@example.com", displayName: "" },
        pubKeyCredParams: [{ alg: -7, type: "public-key" }],
        timeout: 300_000,
      },
    },
  },
  addPasskey: {
    ask: { name: factor.name, passkey: '{"id":"…","type":"public-key","response":{"clientDataJSON":"…"}}' },
    reply: { data: factor, recovery_codes: recoveryCodes },
  },
  beginApp: {
    ask: {},
    reply: {
      secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
      uri: "otpauth://totp/Postern:nora%40example.com?issuer=Postern&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30",
      ticket,
    },
  },
  addApp: {
    ask: { name: "Phone", ticket, code: "482910" },
    reply: { data: { ...factor, kind: "app" as const, name: "Phone" } },
  },
  removeFactor: { ask: { id: factor.id }, reply: {} },
  newRecoveryCodes: { ask: {}, reply: { recovery_codes: recoveryCodes } },
  askPasskey: { ask: {}, reply: { options: passkeyAsked } },
  authorizeFactor: {
    ask: { ticket, code: "482910" },
    reply: { message: "authorized", data: { token } },
  },
  proof: { ask: {}, reply: { ways: ["password" as const], proved_until: 1_795_263_000 } },
  prove: { ask: { password: "correct horse" }, reply: { proved_until: 1_795_263_000 } },
  openToPrograms: { ask: { open: "0" }, reply: { open: false } },
  tokens: { ask: {}, reply: { data: [limited], open: true } },
  addToken: {
    ask: { name: "checker", sites: "instagram.com", price_max: "0.01", budget_day: "5" },
    reply: { token, data: { ...limited, spent_today: "0.0" } },
  },
  removeToken: { ask: { id: limited.id }, reply: {} },
  setPassword: {
    ask: { current: "correct horse", password: "battery staple" },
    reply: { message: "password changed", ended: 1 },
  },
  changeEmail: { ask: { email: "new@example.com" }, reply: { message: "codes sent" } },
  confirmEmail: {
    ask: { email: "new@example.com", code: "123456", new_code: "654321" },
    reply: { message: "email changed" },
  },
  ownData: {
    ask: {},
    reply: {
      made_at: 1_795_258_800,
      account: { id: "1001", email: "person@example.com", created_at: 1_795_000_000, balance: "1.25" },
      sessions: [],
      tokens: [],
      webhooks: [],
      telegram_chats: [],
      notices: [],
      identifiers: [{ kind: "email" }],
      code_choices: [],
      security: [],
      batches: [],
      statement: { balance: [], referrals: [], soft: [], investor: [] },
      payments: [],
      orders: [{ id: "40000000001", site: "instagram.com", letters: [] }],
    },
  },
  closing: {
    ask: {},
    reply: {
      data: {
        open: { orders: 1 },
        left: { balance: "1.25", referrals: "0.0", soft: "0.1", investor: "0.0" },
        give_up: "1.35",
      },
    },
  },
  closeAccount: {
    ask: { email: "person@example.com", give_up: "1.35" },
    reply: { message: "account closed" },
  },
};
