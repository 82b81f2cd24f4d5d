/** Asks one node about a transaction, and where it does not know it the other one, which may have it already. */
export async function askBoth<Answer>(ask: (second: boolean) => Promise<Answer>): Promise<Answer> {
  const answer = await ask(true);
  return answer === "unknown" ? ask(false) : answer;
}
