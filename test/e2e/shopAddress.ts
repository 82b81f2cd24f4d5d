/** The shop of this run; playwright.config.ts chooses the address. */
export const place = {
  port: numberOf("E2E_PORT"),
  smtpPort: numberOf("E2E_SMTP_PORT"),
  dataDir: textOf("E2E_DATA_DIR"),
  /** Becomes an administrator on registration. */
  adminEmail: "operator@example.com",
};

function numberOf(name: string): number {
  return Number(textOf(name));
}

function textOf(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is missing: browser tests are started with playwright.config.ts`);
  return value;
}
