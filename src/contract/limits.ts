/** The business numbers of spec B §9, O §9 and the design, one a line, with the unit in the name. */

export const passwordLengthMin = 6;
export const passwordLengthMax = 128;
export const emailLengthMax = 254; // RFC 5321 §4.5.3.1.3, less the angle brackets
export const codeDigits = 6;
export const codeResendSeconds = 60;
export const codeLifeSeconds = 15 * 60;
export const codeTries = 5;
export const tokenLength = 32;
export const siteLengthMax = 253; // RFC 1035 §2.3.4
export const domainListLengthMax = 1000;
export const subjectLengthMax = 64;
export const regexLengthMax = 500;
export const idempotencyKeyLengthMax = 255;
export const idempotencyHours = 24;
export const pageSize = 10;
export const pageMax = 1_000_000;
export const quantityMax = 10;
export const topUpMinDollars = 1;
export const topUpMaxDollars = 100_000;
export const captchaLengthMax = 8192;
export const registrationTimeoutSeconds = 20;

/** For programs (api.md, Beyond). */
export const waitSecondsMax = 60;
export const orderQuantityMax = 10;
export const statementSize = 50;
export const nameLengthMax = 60;
export const tokenSitesMax = 100;
export const tokensMax = 50;
export const webhooksMax = 10;
export const urlLengthMax = 2_000;
export const streamsMax = 50;
export const eventHours = 24;
/** Fewer orders of the last 24 hours than these say less than those of the last 7 days. */
export const outcomeOrdersMin = 20;

/** How the pages ask again while they wait (spec B §9). */
export const pollSeconds = 3;
export const paymentPollSeconds = 10;
