import { api } from "../api.ts";
import { goHome } from "../session.ts";
import { forgetPerson, stored } from "../stored.ts";

/** Forgets the person and ends the session at the server. Without a connection the session is left to its end by time: nobody has its token. */
export function signOut(): void {
  const token = stored.authToken.read();
  const restore = forgetPerson();
  goHome();
  if (token === "") return restore();
  void api.signOut({}, { token, keepalive: true }).finally(restore);
}
