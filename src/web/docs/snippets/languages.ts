import { curlOf } from "./curl.ts";
import { goOf } from "./go.ts";
import { javascriptOf } from "./javascript.ts";
import { phpOf } from "./php.ts";
import { pythonOf } from "./python.ts";
import type { Request } from "./request.ts";
import { typescriptOf } from "./typescript.ts";

export const languages = {
  curl: { label: "curl", write: curlOf },
  javascript: { label: "JavaScript", write: javascriptOf },
  typescript: { label: "TypeScript", write: typescriptOf },
  python: { label: "Python", write: pythonOf },
  go: { label: "Go", write: goOf },
  php: { label: "PHP", write: phpOf },
} as const satisfies Record<string, { label: string; write: (request: Request) => string }>;

export type SampleLanguage = keyof typeof languages;
