import {
  addApp,
  addPasskey,
  AppCode,
  askPasskey,
  authorizeFactor,
  beginApp,
  beginPasskey,
  FactorCode,
  FactorId,
  FactorName,
  factors,
  newRecoveryCodes,
  NewPasskey,
  Passkey,
  removeFactor,
  Ticket,
  TicketOptional,
} from "./account/factors.ts";
import { lowBalance, setLowBalance, Threshold } from "./account/low-balance.ts";
import {
  changeEmail,
  closeAccount,
  closing,
  confirmEmail,
  GiveUp,
  NewEmailCode,
  OldEmailCode,
  ownData,
  setPassword,
} from "./account/owner.ts";
import {
  addBackorder,
  BackorderId,
  BackorderPrice,
  backorders,
  BackorderUntil,
  removeBackorder,
} from "./orders/backorders.ts";
import { aggregators, quantity } from "./catalog.ts";
import { chains } from "./office/chains.ts";
import type { Endpoint, Field } from "./endpoint.ts";
import { events } from "./events.ts";
import * as fields from "./fields.ts";
import { BatchKey, batches, investorStats, RestrictedSites, uploadBatch } from "./investors.ts";
import * as lists from "./lists.ts";
import { addNews, adminCheck, changeNews, newsList, readNews, removeNews, testPost } from "./news.ts";
import { NewOrderNote, noteOrder, OrderNote } from "./orders/notes.ts";
import { addSkip, removeSkip, SkippedDomain, skips } from "./orders/skips.ts";
import {
  activations,
  cancelEmail,
  chooseCode,
  getMessage,
  history,
  historyFile,
  letterSource,
  notFromSite,
  orderEmail,
  releaseLetter,
  reorderEmail,
} from "./orders.ts";
import {
  askQuestion,
  QuestionTopic,
  QuestionOrder,
  QuestionPayment,
  questions,
  QuestionText,
} from "./account/questions.ts";
import {
  askWithdrawal,
  cancelWithdrawal,
  WithdrawalAddress,
  WithdrawalAmount,
  WithdrawalId,
  WithdrawalKey,
  withdrawals,
  WithdrawalWay,
} from "./account/withdrawals.ts";
import { openToPrograms, proof, ProgramsOpen, prove, ProvePassword } from "./account/proof.ts";
import { BeforeEvent, securityEvents } from "./account/security.ts";
import { acts } from "./office/acts.ts";
import { rates } from "./office/rates.ts";
import { auditShop, inspectLetter, postmasterLetters } from "./office/letters.ts";
import { officeOrder, officeStatement } from "./office/objects.ts";
import { officeFile, officeTable } from "./office/office.ts";
import { dailySummary, officeFigures, officeOverview, setDailySummary } from "./office/overview.ts";
import { heldEarnings, partnerList } from "./office/partners.ts";
import { pricePreview } from "./office/price-acts.ts";
import { addReferralWord, statsReferral, statsSoft } from "./partners.ts";
import {
  Amount,
  createPayment,
  creditReceived,
  dropPayment,
  paymentCurrencies,
  PaymentGroup,
  payments,
  paymentStatus,
  playPayment,
  Undo,
  Wallet,
} from "./payments.ts";
import { checkDns, checkWalletKey, sendTestLetter, setup } from "./office/setup.ts";
import { statement, statementFile, StatementKinds } from "./statement.ts";
import {
  addImage,
  addStory,
  changeStory,
  markStory,
  moveStory,
  readStory,
  removeStory,
  storyList,
  viewedStories,
  viewStory,
} from "./stories.ts";
import { timeline } from "./orders/timeline.ts";
import { addToken, endOtherSessions, endSession, removeToken, sessions, signOut, tokens } from "./tokens.ts";
import {
  activate,
  authorize,
  avatar,
  balance,
  captchaChallenge,
  changePassword,
  chooseAvatar,
  disown,
  information,
  registration,
  replaceToken,
  sendCodeReset,
  sendNewCode,
  telegramLink,
} from "./users.ts";
import {
  addWebhook,
  changeWebhook,
  redeliver,
  removeWebhook,
  replaceWebhookSecret,
  testWebhook,
  webhookDeliveries,
  webhookDelivery,
  webhooks,
} from "./webhooks.ts";

export const endpoints = {
  balance,
  quantity,
  orderEmail,
  getMessage,
  reorderEmail,
  cancelEmail,
  backorders,
  addBackorder,
  removeBackorder,
  aggregators,
  timeline,
  releaseLetter,
  chooseCode,
  notFromSite,
  history,
  historyFile,
  letterSource,
  noteOrder,
  skips,
  addSkip,
  removeSkip,
  activations,
  events,
  authorize,
  registration,
  activate,
  sendNewCode,
  sendCodeReset,
  changePassword,
  disown,
  information,
  avatar,
  chooseAvatar,
  replaceToken,
  setPassword,
  changeEmail,
  confirmEmail,
  ownData,
  closing,
  closeAccount,
  lowBalance,
  setLowBalance,
  telegramLink,
  statement,
  statementFile,
  addReferralWord,
  statsReferral,
  statsSoft,
  uploadBatch,
  batches,
  investorStats,
  withdrawals,
  askWithdrawal,
  cancelWithdrawal,
  sessions,
  endSession,
  endOtherSessions,
  signOut,
  factors,
  beginPasskey,
  addPasskey,
  beginApp,
  addApp,
  removeFactor,
  newRecoveryCodes,
  askPasskey,
  authorizeFactor,
  securityEvents,
  proof,
  prove,
  openToPrograms,
  tokens,
  addToken,
  removeToken,
  webhooks,
  addWebhook,
  changeWebhook,
  replaceWebhookSecret,
  testWebhook,
  removeWebhook,
  webhookDeliveries,
  webhookDelivery,
  redeliver,
  createPayment,
  paymentStatus,
  creditReceived,
  dropPayment,
  payments,
  paymentCurrencies,
  askQuestion,
  questions,
  playPayment,
  captchaChallenge,
  newsList,
  storyList,
  viewedStories,
  viewStory,
  testPost,
  adminCheck,
  readNews,
  addNews,
  changeNews,
  removeNews,
  readStory,
  addStory,
  changeStory,
  moveStory,
  markStory,
  removeStory,
  addImage,
  partnerList,
  heldEarnings,
  chains,
  dailySummary,
  officeFigures,
  officeOverview,
  setDailySummary,
  officeTable,
  officeFile,
  officeOrder,
  officeStatement,
  pricePreview,
  ...acts,
  rates,
  postmasterLetters,
  inspectLetter,
  auditShop,
  setup,
  checkDns,
  checkWalletKey,
  sendTestLetter,
} as const satisfies Record<string, Endpoint>;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;

const ofFactors = { FactorId, FactorName, Ticket, TicketOptional, AppCode, FactorCode, NewPasskey, Passkey };
const parameters = {
  ...fields,
  ...lists,
  ...ofFactors,
  Wallet,
  Amount,
  RestrictedSites,
  BackorderId,
  BackorderPrice,
  BackorderUntil,
  SkippedDomain,
  BatchKey,
  BeforeEvent,
  GiveUp,
  NewEmailCode,
  NewOrderNote,
  OldEmailCode,
  OrderNote,
  ProgramsOpen,
  ProvePassword,
  PaymentGroup,
  QuestionTopic,
  QuestionOrder,
  QuestionPayment,
  QuestionText,
  StatementKinds,
  Threshold,
  Undo,
  WithdrawalAddress,
  WithdrawalAmount,
  WithdrawalId,
  WithdrawalKey,
  WithdrawalWay,
};
type Parameters = typeof parameters;
export type ParameterName = Uncapitalize<
  { [Name in keyof Parameters]: Parameters[Name] extends Field ? Name : never }[keyof Parameters]
>;

const parameterNames = new Map<unknown, string>(
  Object.entries(parameters).map(([name, field]) => [
    field,
    `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
  ]),
);

/** The name under which a parameter is described. By the field: one parameter may mean several things. */
export function parameterName(field: Field): ParameterName {
  const name = parameterNames.get(field);
  if (name === undefined) throw new Error(`no name for a parameter: ${field.summary}`);
  return name as ParameterName;
}
