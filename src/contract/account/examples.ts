// A request and an answer for each call about factors.
const factor = {
  id: "82736450192837",
  kind: "passkey",
  name: "Work laptop",
  created_at: 1_795_258_800,
} as const;
const recoveryCodes = ["k7pm-w2xd-9fqa-t4hr", "b3nz-6ycv-m8sj-e5gu"];
const ticket = "q0Zb4wYkS8v1mJxT2rNfH6dLcP9aUeGiRo3sKtWyVxM";
const passkeyAsked = { challenge: ticket, rpId: "postern.example", timeout: 300_000 };
export const factorExamples = {
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
    reply: { message: "authorized", data: { token: "V1StGXR8Z5jdHi6BmyTuWxYz0123abcd" } },
  },
};
