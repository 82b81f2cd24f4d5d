import type { ActName } from "../../contract/office/acts.ts";
import type { OfficeRole } from "../../contract/endpoint.ts";
import { useAccount } from "../dashboard/account.ts";
import { actRoles } from "./actions/actForms.ts";

/** Of the person at the page; undefined until it is known. */
export const useOwnRole = (): OfficeRole | undefined => useAccount().data?.office_role;

/** Which acts to offer. Until the role is known all: the server decides. */
export function useMayDo(): (does: { act?: ActName | undefined }) => boolean {
  const role = useOwnRole();
  return ({ act }) => role === undefined || role === "owner" || act === undefined || actRoles[act] === role;
}
