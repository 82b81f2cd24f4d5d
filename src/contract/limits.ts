/** Business numbers of spec B §9, O §9 and the design; the unit is in the name. */

export const passwordLengthMin = 6;
export const passwordLengthMax = 128;
export const emailLengthMax = 254; // RFC 5321 §4.5.3.1.3, less the angle brackets
export const codeDigits = 6;
/** 131 bits in letters of both cases. */
export const linkLetters = 23;
export const codeResendSeconds = 60;
export const codeLifeSeconds = 15 * 60;
export const codeTries = 5;
/** How long the link "this was not me" of a mail works. */
export const disownSeconds = 7 * 24 * 60 * 60;
export const tokenLength = 32;
export const avatarMax = 5;
/** Of a new account: index 0 is marked VIP (spec B §3), which nobody is from the first second. */
export const avatarOfNew = 1;
export const siteLengthMax = 253; // RFC 1035 §2.3.4
export const domainListLengthMax = 1000;
/** Of the names of prices: a page of the back office has 25. */
export const priceListLengthMax = 8000;
export const subjectLengthMax = 64;
export const regexLengthMax = 500;
export const orderNoteLengthMax = 60;
/** Mail domains of one account that its orders pass over, each for so many days. */
export const skipsMax = 200;
export const skipDays = 7;
export const idempotencyKeyLengthMax = 255;
export const idempotencyHours = 24;
export const pageSize = 10;
export const listSizes = [10, 50, 100] as const;
/** Of one order. */
export const historyLettersMax = 50;
export const timelineLettersMax = 200;
export const searchLengthMax = 100;
export const pageMax = 1_000_000;
export const quantityMax = 10;
export const telegramBonusDollars = 0.1;
export const linkLifeSeconds = 10 * 60;
export const topUpMinDollars = 1;
export const topUpMaxDollars = 100_000;
export const captchaLengthMax = 8192;
export const registrationTimeoutSeconds = 20;
/** Of the whole data of an account, and of its end. */
export const exportTimeoutSeconds = 120;

/** Part of what is spent, each for referrals and soft (spec O §9). */
export const partnerPercent = 5;
export const referralWordLengthMax = 64;
export const referralWordsMax = 20;
export const referralCookieDays = 90;
/** Of which earnings are drawn, with today (spec O §9). */
export const earningDays = 30;
/** How long a login's network address is compared with those of other accounts. */
export const addressIdentifierDays = 30;

export const uploadBytesMax = 150 * 1024 * 1024;
export const restrictedSitesMax = 100;
/** Mailboxes of a batch that are tried before its sale; the least size of a batch. */
export const sampleSize = 20;
export const batchesSize = 10;
export const batchesMax = 100;

export const waitSecondsMax = 60;
/** A proxy whose time-out is a minute, as nginx has it, must not end first. */
export const waitAnsweredSeconds = 55;
export const orderQuantityMax = 10;
/** Orders that wait for stock, of one account at a time, and for how long. */
export const backordersMax = 10;
export const backorderDays = 7;
export const statementSize = 50;
export const nameLengthMax = 60;
export const noteLengthMax = 500;
export const questionLengthMax = 1000;
/** Of the wallet of a withdrawal; the longest address in use has 90 characters (BIP 173). */
export const walletAddressLengthMax = 100;
export const transactionLengthMax = 100;
/** Of one account, without an answer. */
export const openQuestionsMax = 10;
export const tokenSitesMax = 100;
export const tokensMax = 50;
/** A session that is not used for so long has ended, and one that is so old. */
export const sessionDaysIdle = 30;
export const sessionDaysMax = 90;
/** How long events of security are kept, and how many are told at once. */
export const securityDays = 90;
export const securitySize = 50;
/** For so long a proof of who the person is counts. */
export const proofSeconds = 10 * 60;
/** Of one account; a new one takes the place of that which was not used for longest. */
export const sessionsMax = 50;
/** Passkeys and the app of one account. */
export const factorsMax = 20;
/** How long a browser may take to answer with a factor. */
export const challengeSeconds = 5 * 60;
export const recoveryCodes = 10;
export const recoveryCodeLetters = 16;
export const ticketLength = 43;
/** A recovery code as people may write it. */
export const factorCodeLengthMax = 40;
/** The answer of a passkey; that of a new one has its key. */
export const passkeyLengthMax = 8_192;
export const webhooksMax = 10;
export const urlLengthMax = 2_000;
/** Open streams and waiting calls of one account, in one process. */
export const streamsMax = 50;
export const waitsMax = 200;
/** Calls of one account, from any address. */
export const callsMax = 3_000;
export const callsSeconds = 10;
export const freeCallsMax = 600;
export const eventHours = 24;
/** With fewer orders in the last 24 hours, the last 7 days count. */
export const outcomeOrdersMin = 20;

/** Room for every text of its greatest length, in any script. */
export const writtenBytesMax = 1024 * 1024;

export const newsMax = 100;
export const newsPriorityDefault = 100;
export const newsPriorityMax = 1_000_000;
export const newsTitleLengthMax = 200;
export const newsLinesMax = 30;
export const newsLineLengthMax = 1_000;

export const storiesMax = 50;
export const storySlidesMax = 20;
export const storyTitleLengthMax = 120;
export const storyDescriptionLengthMax = 300;
export const storyTextLengthMax = 2_000;
export const storyButtonLengthMax = 60;
export const imageBytesMax = 10 * 1024 * 1024;
/** Checked before the picture is decoded. */
export const imagePixelsMax = 40_000_000;
/** Pixels; three times a thumbnail (spec O §9). */
export const imageWidthMax = 1080;
export const imageHeightMax = 1920;
export const thumbWidth = 216;
export const thumbHeight = 300;
/** A critical story opens automatically for these users alone (spec O §9). */
export const criticalStoryUsers: readonly string[] = ["1", "2", "3"];
export const slideSeconds = 5;
/** Spec O §9. */
export const thumbnailTitleLengthMax = 30;
export const thumbnailTitleCut = 28;

/** RFC 1035 §2.3.4. The phrase limit lets 24 words through, so that one refusal explains them. */
export const domainLengthMax = 253;
export const publicKeyLengthMax = 300;

export const officePageSize = 25;
/** Rows of a table are counted, and search results limited, up to this number. */
export const officeTotalMax = 10_000;

/** Spec B §9. */
export const pollSeconds = 3;
export const paymentPollSeconds = 10;

export const stockAddMax = 100_000;
export const hostConnectionsMax = 10_000;
export const hostLoginsMax = 1_000_000;
export const certificatesLengthMax = 64_000;
/** An adjustment that waits for a second person expires. */
export const adjustmentDays = 7;
export const sharePercentMax = 90;
export const batchIdMax = 2_147_483_647;
