// Writes src/web/office/actions/actForms.ts for the pages without an import of the contract.
import { actForms, actRoles, actWords } from "../src/web/office/actions/actForms.ts";

export const actFormsModule = (): string =>
  Object.entries({ actForms, actRoles, actWords })
    .map(([name, table]) => `export const ${name} = ${JSON.stringify(table)};\n`)
    .join("");
