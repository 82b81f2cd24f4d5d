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
const ticket = "q0Zb4wYkS8v1mJxT2rNfH6dLcP9aUeGiRo3sKtWyVxM";

const question = {
  id: "17",
  activation_id: "40000000001",
  topic: "no_letter" as const,
  text: "The site says that the letter was sent twice.",
  asked_at: 1_795_258_980,
};

export const accountExamples = {
  askQuestion: {
    ask: { activation_id: question.activation_id, topic: question.topic, text: question.text },
    reply: { question },
  },
  questions: {
    ask: { activation_id: question.activation_id },
    reply: {
      data: [
        {
          ...question,
          answer: "Its sender was unknown to us. The letter is delivered.",
          answered_at: 1_795_262_580,
        },
      ],
      next_page: false,
    },
  },
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
        avatar: 1,
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
  lowBalance: { ask: {}, reply: { data: { threshold: "2.0", balance: "1.2465", low: true } } },
  setLowBalance: {
    ask: { threshold: "2" },
    reply: { data: { threshold: "2.0", balance: "5.0", low: false } },
  },
  avatar: { ask: { id: "1001" }, reply: { avatar: 1 } },
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
  signOut: { ask: {}, reply: { ended: true } },
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
};
