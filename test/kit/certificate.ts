export { type Certificate, certificateFor } from "../../src/server/kit/certificate.ts";
