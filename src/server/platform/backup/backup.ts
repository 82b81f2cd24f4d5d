export { checkBackup, type Restored, restoreBackup, type Source } from "./backup.restore.ts";
export { Unusable } from "./backup.pull.ts";
export { type Backup, writeBackup } from "./backup.write.ts";
