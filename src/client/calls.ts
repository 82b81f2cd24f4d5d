import type { Access, Calls } from "./wire.ts";

export type CallName = keyof Calls;

export interface Call {
  path: string;
  access: Access;
  /**
   * `form`: parameters go in a POST body, so that no secret stands in an address. `file`: the body is a file, and they go in
   * headers. Absent: in the query of a GET.
   */
  send?: "form" | "multipart" | "json" | "file";
  /** Absent: POST with a body, GET without. */
  method?: "PUT";
  /**
   * What a second request does when the answer to the first was lost. `read`: it reads again. `key`: under the same
   * `client_order_id` it is the same order. `once`: the second does nothing more. Absent: it may do the thing twice.
   */
  repeat?: "read" | "key" | "once";
  timeoutSeconds?: number;
}

/** Where each call goes. A test compares this table with the contract, whose schemas stay out of the client. */
export const calls: Record<CallName, Call> = {
  balance: { path: "/user/balance", access: "user", repeat: "read" },
  quantity: { path: "/email/quantity", access: "active", repeat: "read" },
  orderEmail: { path: "/email/order", access: "active", send: "form", repeat: "key" },
  getMessage: { path: "/email/getmessage", access: "user", send: "form", repeat: "read" },
  reorderEmail: { path: "/email/reorder", access: "active", send: "form", repeat: "key" },
  cancelEmail: { path: "/email/cancel", access: "user", send: "form", repeat: "once" },
  timeline: { path: "/email/timeline", access: "user", repeat: "read" },
  releaseLetter: { path: "/email/release", access: "user", send: "form" },
  notFromSite: { path: "/email/notfromsite", access: "user", send: "form", repeat: "once" },
  aggregators: { path: "/email/aggregators", access: "anyone", repeat: "read" },
  history: { path: "/email/history", access: "user", repeat: "read" },
  activations: { path: "/user/activations", access: "user", repeat: "read" },
  events: { path: "/user/events", access: "user", repeat: "read" },
  authorize: { path: "/user/authorize", access: "anyone", send: "form" },
  registration: { path: "/user/registration", access: "anyone", send: "multipart", timeoutSeconds: 20 },
  activate: { path: "/user/activate", access: "user", send: "form" },
  sendNewCode: { path: "/user/sendnewcode", access: "user", send: "form" },
  sendCodeReset: { path: "/user/sendCodeReset", access: "anyone", send: "form" },
  changePassword: { path: "/user/changepassword", access: "anyone", send: "form" },
  information: { path: "/user/information", access: "user", repeat: "read" },
  avatar: { path: "/api/avatar/{id}", access: "anyone", repeat: "read" },
  chooseAvatar: { path: "/api/avatar/", access: "user", send: "form", repeat: "once" },
  replaceToken: { path: "/user/replacetoken", access: "user", send: "form" },
  telegramLink: { path: "/user/telegramlink", access: "user", send: "form" },
  statement: { path: "/user/statement", access: "user", repeat: "read" },
  statementFile: { path: "/user/statement.csv", access: "user", repeat: "read" },
  addReferralWord: { path: "/user/addReferralWord", access: "user", send: "form", repeat: "once" },
  statsReferral: { path: "/stats/referral", access: "user", repeat: "read" },
  statsSoft: { path: "/stats/soft", access: "user", repeat: "read" },
  uploadBatch: { path: "/investor/upload", access: "user", send: "file", repeat: "key" },
  batches: { path: "/investor/packsinfo", access: "user", repeat: "read" },
  investorStats: { path: "/investor/stats", access: "user", repeat: "read" },
  tokens: { path: "/user/tokens", access: "user", repeat: "read" },
  addToken: { path: "/user/tokens/add", access: "active", send: "form" },
  removeToken: { path: "/user/tokens/remove", access: "user", send: "form" },
  webhooks: { path: "/user/webhooks", access: "user", repeat: "read" },
  addWebhook: { path: "/user/webhooks/add", access: "active", send: "form" },
  changeWebhook: { path: "/user/webhooks/change", access: "active", send: "form" },
  replaceWebhookSecret: { path: "/user/webhooks/secret", access: "active", send: "form" },
  testWebhook: { path: "/user/webhooks/test", access: "active", send: "form" },
  removeWebhook: { path: "/user/webhooks/remove", access: "user", send: "form" },
  webhookDeliveries: { path: "/user/webhooks/deliveries", access: "user", repeat: "read" },
  redeliver: { path: "/user/webhooks/redeliver", access: "active", send: "form" },
  createPayment: { path: "/payments/create", access: "user", send: "form" },
  paymentStatus: { path: "/payments/status", access: "user", repeat: "read" },
  payments: { path: "/user/payments", access: "user", repeat: "read" },
  playPayment: { path: "/payments/play", access: "user", send: "form", repeat: "once" },
  paymentCurrencies: { path: "/payments/currencies", access: "user", repeat: "read" },
  captchaChallenge: { path: "/api/captcha", access: "anyone", repeat: "read" },
  newsList: { path: "/api/newsmain/list", access: "anyone", repeat: "read" },
  storyList: { path: "/api/stories/list", access: "anyone", repeat: "read" },
  viewedStories: { path: "/api/stories/viewed", access: "user", repeat: "read" },
  viewStory: { path: "/api/stories/viewed", access: "user", send: "json", repeat: "once" },
  testPost: { path: "/api/testpost", access: "anyone", send: "json", repeat: "read" },
  adminCheck: { path: "/api/admin/check", access: "admin", repeat: "read" },
  readNews: { path: "/api/admin/newsmain/{id}", access: "admin", repeat: "read" },
  addNews: { path: "/api/admin/newsmain/create", access: "admin", send: "json" },
  changeNews: { path: "/api/admin/newsmain/update/{id}", access: "admin", send: "json", method: "PUT" },
  removeNews: { path: "/api/admin/newsmain/delete", access: "admin", send: "json", repeat: "once" },
  readStory: { path: "/api/admin/stories/{id}", access: "admin", repeat: "read" },
  addStory: { path: "/api/admin/stories/create", access: "admin", send: "json" },
  changeStory: { path: "/api/admin/stories/update/{id}", access: "admin", send: "json", repeat: "once" },
  moveStory: { path: "/api/admin/stories/reorder", access: "admin", send: "json" },
  markStory: {
    path: "/api/admin/stories/update-critical/{id}",
    access: "admin",
    send: "json",
    repeat: "once",
  },
  removeStory: { path: "/api/admin/stories/delete", access: "admin", send: "json", repeat: "once" },
  addImage: { path: "/api/admin/stories/image", access: "admin", send: "file", repeat: "once" },
  partnerList: { path: "/api/admin/partners", access: "admin", repeat: "read" },
  heldEarnings: { path: "/api/admin/partners/held", access: "admin", repeat: "read" },
  payPartner: { path: "/api/admin/partners/payout", access: "admin", send: "form" },
  decideHeld: { path: "/api/admin/partners/decide", access: "admin", send: "form", repeat: "once" },
  decidePayment: { path: "/api/admin/payments/decide/{id}", access: "admin", send: "form" },
  chains: { path: "/api/admin/chains", access: "admin", repeat: "read" },
  officeOverview: { path: "/api/admin/overview", access: "admin", repeat: "read" },
  officeTable: { path: "/api/admin/tables/{table}", access: "admin", repeat: "read" },
  officeFile: { path: "/api/admin/tables/{table}/file.csv", access: "admin", repeat: "read" },
  addDomain: { path: "/api/admin/domains/add", access: "admin", send: "form" },
  changeDomain: { path: "/api/admin/domains/set", access: "admin", send: "form", repeat: "once" },
  addStock: { path: "/api/admin/stock/add", access: "admin", send: "form", timeoutSeconds: 120 },
  addHost: { path: "/api/admin/hosts/add", access: "admin", send: "form", repeat: "once" },
  addSenders: {
    path: "/api/admin/sites/senders",
    access: "admin",
    send: "form",
    repeat: "once",
    timeoutSeconds: 120,
  },
  removeSenders: { path: "/api/admin/sites/senders/remove", access: "admin", send: "form" },
  blockSite: { path: "/api/admin/sites/block", access: "admin", send: "form", repeat: "once" },
  blockUser: { path: "/api/admin/users/block", access: "admin", send: "form", repeat: "once" },
  adjustBalance: { path: "/api/admin/users/adjust", access: "admin", send: "form", repeat: "once" },
  grantRole: { path: "/api/admin/users/grant", access: "admin", send: "form", repeat: "once" },
  setShare: { path: "/api/admin/users/share", access: "admin", send: "form", repeat: "once" },
  decideBatch: { path: "/api/admin/batches/decide", access: "admin", send: "form" },
  clearBatches: { path: "/api/admin/batches/seen", access: "admin", send: "form" },
  rates: { path: "/api/admin/rates", access: "admin", repeat: "read" },
  decideShares: { path: "/api/admin/shares/decide", access: "admin", send: "form", repeat: "once" },
  decideComplaint: { path: "/api/admin/complaints/decide", access: "admin", send: "form", repeat: "once" },
  releaseRate: { path: "/api/admin/rates/release", access: "admin", send: "form" },
  postmasterLetters: { path: "/api/admin/letters", access: "admin", repeat: "read" },
  inspectLetter: { path: "/api/admin/letters/{id}", access: "admin", repeat: "read" },
  auditShop: { path: "/api/admin/audit", access: "admin", repeat: "read", timeoutSeconds: 120 },
  setup: { path: "/api/admin/setup", access: "admin", repeat: "read" },
  checkDns: { path: "/api/admin/setup/dns", access: "admin", send: "form", repeat: "once" },
  checkWalletKey: { path: "/api/admin/setup/wallet", access: "admin", send: "form", repeat: "read" },
  sendTestLetter: { path: "/api/admin/setup/letter", access: "admin", send: "form" },
  confirmPayment: { path: "/api/admin/payments/confirm/{id}", access: "admin", send: "form" },
};
