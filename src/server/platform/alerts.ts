/** From where on the overview, the start and `doctor` say what an alert of docs/alerts.yml rings for (test/alerts.test.ts compares them). */
export const alertsAt = {
  /** Less is free, in bytes. */
  DiskLow: 2e9,
  /** A job is late by more seconds. */
  JobLate: 60,
  /** A day, and what a large backup takes, in seconds. */
  BackupOld: 30 * 3600,
  /** Less is left of the certificate, in seconds. */
  CertificateEnds: 7 * 24 * 3600,
  /** More of all letters are put off. */
  LettersPutOff: 0.05,
  /** More of all orders find no address. */
  NoAddressLeft: 0.2,
} as const;
