const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const page = (body) => `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width">
<title>Parcels</title>
<style>body { font: 1rem/1.5 system-ui; max-width: 24rem; margin: 3rem auto; padding: 0 1rem; }</style>
${body}
</html>`;

export const signUp = () =>
  page(`<h1>Sign up</h1>
<form method="post">
  <label>Email <input name="email" type="email" required></label>
  <button>Sign up</button>
</form>`);

export const askForCode = (id, problem = "") =>
  page(`<h1>Check your email</h1>
<p>We sent a code to your address.</p>
<p role="alert">${escaped(problem)}</p>
<form method="post">
  <input type="hidden" name="id" value="${escaped(id)}">
  <label>Code <input name="code" inputmode="numeric" autocomplete="one-time-code" required></label>
  <button>Confirm</button>
</form>`);

export const welcome = (email) => page(`<h1>Welcome, ${escaped(email)}</h1>`);
