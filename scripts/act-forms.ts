// Writes src/web/office/actions/actForms.ts for the pages without an import of the contract.
import { actForms } from "../src/web/office/actions/actForms.ts";

export const actFormsModule = (): string => `export const actForms = ${JSON.stringify(actForms)};\n`;
