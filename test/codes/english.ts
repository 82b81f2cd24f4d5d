import { styled, type Sample } from "./sample.ts";

export const english: Sample[] = [
  {
    name: "a code in the subject and alone on a line",
    from: "Instagram <no-reply@mail.instagram.com>",
    subject: "482913 is your Instagram code",
    html: styled(
      `<p>Hi,</p><p>Someone tried to sign up for an Instagram account with ann@letters.test. If it was you, enter this confirmation code in the app:</p><p style="font-size:24px;letter-spacing:4px">482913</p>`,
    ),
    code: "482913",
  },
  {
    name: "a code split by tags into cells",
    from: "Acme <security@acme.test>",
    subject: "Your verification code",
    html: styled(
      `<p>Use this code to finish signing in:</p><table><tr>${Array.from("739204", (digit) => `<td style="border:1px solid #ddd">${digit}</td>`).join("")}</tr></table><p>It expires in 15 minutes.</p>`,
    ),
    code: "739204",
  },
  {
    name: "a code split by inline tags and invisible characters",
    from: "Acme <security@acme.test>",
    subject: "Sign-in code",
    html: styled(
      `<p>Your code is <b>5</b><span>&#8203;</span><b>0</b><b>1</b>&shy;<b>7</b><i>7</i><b>3</b></p>`,
    ),
    code: "501773",
  },
  {
    name: "a code with a space in the middle",
    from: "Twitch <no-reply@twitch.test>",
    subject: "Your login code",
    text: "Hey ann,\n\nYour login code is 204 817.\n\nThis code will expire in 20 minutes.\n\n© 2025 Twitch",
    code: "204817",
  },
  {
    name: "a code with a dash, and a phone number",
    from: "Support <hello@support.test>",
    subject: "Confirm it's you",
    text: "Confirmation code: 381-592\n\nQuestions? Call +1 (650) 543-4800 or 1-800-555-0199.",
    code: "381592",
  },
  {
    name: "letters and digits with a dash",
    from: "Workspace <feedback@workspace.test>",
    subject: "Workspace confirmation code: X7P-9QK",
    html: styled(
      `<h1>Confirm your email address</h1><p>Your confirmation code is below — enter it in your open browser window.</p><div style="background:#f5f4f5;font-size:30px">X7P-9QK</div>`,
    ),
    code: "X7P-9QK",
  },
  {
    name: "letters and digits in one word",
    from: "Steam Support <noreply@steampowered.com>",
    subject: "Your Steam account: Access from new computer",
    text: "Dear ann,\n\nHere is the Steam Guard code you need to login to account ann_4821:\n\nR4T7K\n\nThis email was generated because of a login attempt from Germany (DE), 203.0.113.77.",
    code: "R4T7K",
  },
  {
    name: "a letter before the digits that nobody types",
    from: "Google <no-reply@accounts.google.com>",
    subject: "Google Verification Code",
    text: "Dear Google User,\n\nG-603821 is your Google verification code. Use it before 14:30 on March 14, 2025.",
    code: "603821",
  },
  {
    name: "a code of four digits beside a year",
    from: "Ride <codes@ride.test>",
    subject: "Welcome to Ride",
    text: "Your Ride code: 7391\n\nNever share this code. (c) 2025 Ride Technologies",
    code: "7391",
  },
  {
    name: "a code of eight digits beside an order number",
    from: "Bank <otp@bank.test>",
    subject: "One-time passcode",
    text: "For order #84920175 of $1,284.50 dated 03/14/2025 use the one-time passcode 20481957.",
    code: "20481957",
  },
  {
    name: "a code before the word",
    from: "Facebook <security@facebookmail.com>",
    subject: "73920 is your account recovery code",
    html: styled(
      `<p>We received a request to reset your password.</p><p>Enter the following password reset code:</p><table><tr><td style="background:#f2f2f2">73920</td></tr></table><p>Alternatively, <a href="https://www.facebook.com/recover/code/?n=73920&u=100012345678901">change your password directly</a>.</p>`,
    ),
    code: "73920",
  },
  {
    name: "a code in a letter that is only HTML without a doctype",
    from: "noreply@forum.test",
    subject: "Forum registration",
    html: "Thanks for registering!<br><br>Your activation code:<br><font size=5><b>aX93kD</b></font><br>Enter it on the site.",
    code: "aX93kD",
  },
  {
    name: "a link to confirm, no code",
    from: "GitHub <noreply@github.com>",
    subject: "[GitHub] Please verify your email address.",
    html: styled(
      `<p>Almost done, <b>@ann2024</b>! To secure your account, we just need to verify your email address.</p><p><a href="https://github.com/users/ann2024/emails/48201/confirm_verification/9f86d081884c7d659a2feaa0c55ad015">Verify email address</a></p><p>Or paste this link into your browser. Opened 1,204 times by 20000 users.</p><p><a href="https://docs.github.com/help">Help</a></p>`,
    ),
    link: "https://github.com/users/ann2024/emails/48201/confirm_verification/9f86d081884c7d659a2feaa0c55ad015",
  },
  {
    name: "a magic link in plain text",
    from: "Notes <login@notes.test>",
    subject: "Sign in to Notes",
    text: "Click the link below to sign in:\n\nhttps://notes.test/magic?token=a81bc81bdead4e5dabff90865d1e13b1&user=48213.\n\nIf you did not request this, report it: https://notes.test/report/48213\n\nUnsubscribe: https://notes.test/unsubscribe",
    link: "https://notes.test/magic?token=a81bc81bdead4e5dabff90865d1e13b1&user=48213",
  },
  {
    name: "a code and a link",
    from: "Discord <noreply@discord.com>",
    subject: "Verify Email Address for Discord",
    html: styled(
      `<p>Hey ann,</p><p>Your verification code is <strong>948 201</strong></p><a style="background-color:#5865f2" href="https://click.discord.com/ls/click?upn=u001.Zx81kQm2Lr93hTnV">Verify Email</a><p>Need help? <a href="https://support.discord.com">Contact our support team</a></p>`,
    ),
    code: "948201",
    link: "https://click.discord.com/ls/click?upn=u001.Zx81kQm2Lr93hTnV",
  },
  {
    name: "a link of a network to itself, beside links to its profiles",
    from: "Facebook <registration@facebookmail.com>",
    subject: "31904 is your Facebook confirmation code",
    html: styled(
      `<p>Hi Ann, please confirm your Facebook account.</p><a href="https://www.facebook.com/confirmemail.php?e=ann%40letters.test&c=31904">Confirm your Facebook account</a><p>You may be asked for this confirmation code:</p><b>31904</b><a href="https://www.facebook.com/facebook">Facebook</a> <a href="https://twitter.com/facebook">Twitter</a>`,
    ),
    code: "31904",
    link: "https://www.facebook.com/confirmemail.php?e=ann%40letters.test&c=31904",
  },
  {
    name: "a discount code is none",
    from: "Shop <news@shop.test>",
    subject: "20% off — use code SAVE2025 at checkout",
    html: styled(
      `<p>Use promo code <b>SAVE2025</b> at checkout until 03/31/2025. Orders over $1000 only.</p>`,
    ),
  },
  {
    name: "a receipt has no code",
    from: "Shop <orders@shop.test>",
    subject: "Your order 482913 has shipped",
    text: "Order 482913\nTracking number: 9400 1000 0000 0000 2222 33\nTotal: USD 1284.50\nShip to: 1601 Willow Road, Menlo Park, CA 94025\nCall 800 555 0199\n© 2025",
  },
  {
    name: "a newsletter has no code",
    from: "News <news@news.test>",
    subject: "The week of March 14, 2025",
    html: styled(
      `<p>1500 people read this in 2024. Color #482913, version 120.0.6099, at 14:30, ISO 27001.</p><p><a href="https://news.test/story/2025/03/14">Read more</a></p>`,
    ),
  },
];
