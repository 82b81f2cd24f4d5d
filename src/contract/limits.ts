/** The business numbers of spec B §9, O §9 and the design, one a line, with the unit in the name. */

export const passwordLengthMin = 6;
export const passwordLengthMax = 128;
export const emailLengthMax = 254; // RFC 5321 §4.5.3.1.3, less the angle brackets
export const codeDigits = 6;
export const codeResendSeconds = 60;
export const codeLifeSeconds = 15 * 60;
export const codeTries = 5;
export const tokenLength = 32;
export const avatarMax = 5;
export const siteLengthMax = 253; // RFC 1035 §2.3.4
export const domainListLengthMax = 1000;
export const subjectLengthMax = 64;
export const regexLengthMax = 500;
export const idempotencyKeyLengthMax = 255;
export const idempotencyHours = 24;
export const pageSize = 10;
export const pageMax = 1_000_000;
export const quantityMax = 10;
/** For an account that is confirmed by the bot (spec B §9). */
export const telegramBonusDollars = 0.1;
/** For how long a link to the bot is good. */
export const linkLifeSeconds = 10 * 60;
export const topUpMinDollars = 1;
export const topUpMaxDollars = 100_000;
export const captchaLengthMax = 8192;
export const registrationTimeoutSeconds = 20;

/** Of what is spent, for who brought the buyer and for whose program ordered, each (spec O §9). */
export const partnerPercent = 5;
export const referralWordLengthMax = 64;
export const referralWordsMax = 20;
/** For so long a browser remembers under whose link it came. */
export const referralCookieDays = 90;
/** For so long an address from which an account was entered is compared with those of others. */
export const addressIdentifierDays = 30;

/** An investor's file (spec O §5). */
export const uploadBytesMax = 150 * 1024 * 1024;
export const restrictedSitesMax = 100;
/** So many mailboxes of a batch are tried before it is on sale, and no batch is smaller. */
export const sampleSize = 20;
/** Batches on one page (spec O §9), and the most that may be asked for. */
export const batchesSize = 10;
export const batchesMax = 100;

/** For programs. */
export const waitSecondsMax = 60;
export const orderQuantityMax = 10;
export const statementSize = 50;
export const nameLengthMax = 60;
export const noteLengthMax = 500;
export const tokenSitesMax = 100;
export const tokensMax = 50;
export const webhooksMax = 10;
export const urlLengthMax = 2_000;
/** Streams and waiting calls of one account that may be open at once, in one process. */
export const streamsMax = 50;
export const waitsMax = 200;
/** Calls of one account, whatever address they come from, and in how long. */
export const callsMax = 3_000;
export const callsSeconds = 10;
/** Calls without a token from one address, in a minute. */
export const freeCallsMax = 600;
export const eventHours = 24;
/** Fewer orders of the last 24 hours than these say less than those of the last 7 days. */
export const outcomeOrdersMin = 20;

/** What administrators write may be longer than the body of most calls: every text of its greatest length, in any script. */
export const writtenBytesMax = 1024 * 1024;

/** Announcements of the home page (spec O §9). */
export const newsMax = 100;
export const newsPriorityDefault = 100;
export const newsPriorityMax = 1_000_000;
export const newsTitleLengthMax = 200;
export const newsLinesMax = 30;
export const newsLineLengthMax = 1_000;

/** Stories. */
export const storiesMax = 50;
export const storySlidesMax = 20;
export const storyTitleLengthMax = 120;
export const storyDescriptionLengthMax = 300;
export const storyTextLengthMax = 2_000;
export const storyButtonLengthMax = 60;
export const imageBytesMax = 10 * 1024 * 1024;
/** A picture of more pixels than this is refused before it is unpacked. */
export const imagePixelsMax = 40_000_000;
/** In pixels, what a picture is kept in: what a telephone held upright fills, and three times a thumbnail (spec O §9). */
export const imageWidthMax = 1080;
export const imageHeightMax = 1920;
export const thumbWidth = 216;
export const thumbHeight = 300;
/** For these users alone a critical story opens by itself (spec O §9). */
export const criticalStoryUsers: readonly string[] = ["1", "2", "3"];
/** How long a slide is shown (spec O §9). */
export const slideSeconds = 5;
/** Thumbnails cut longer titles, and to so many characters (spec O §9). */
export const thumbnailTitleLengthMax = 30;
export const thumbnailTitleCut = 28;

/** The first run of a shop. RFC 1035 §2.3.4; 24 words of a phrase are refused in one sentence and not by their length. */
export const domainLengthMax = 253;
export const publicKeyLengthMax = 300;

/** A page of a table of the back office. */
export const officePageSize = 25;
/** How far the rows of a table are counted, and how many a search finds. */
export const officeTotalMax = 10_000;

/** How the pages ask again while they wait (spec B §9). */
export const pollSeconds = 3;
export const paymentPollSeconds = 10;

/** The back office. */
export const stockAddMax = 100_000;
export const hostConnectionsMax = 10_000;
export const hostLoginsMax = 1_000_000;
export const certificatesLengthMax = 64_000;
export const sharePercentMax = 90;
export const batchIdMax = 2_147_483_647;
