// Everything that the client knows of the contract, and only types of it: schemas stay with the server. In the package
// this file is replaced by the same types written out, so that it stands alone (scripts/pack-client.ts).
import type { EndpointName, Endpoints } from "../contract/api.ts";
import type { Asking, Endpoint, RefusalOf, Reply } from "../contract/endpoint.ts";
import type { commonRefusals } from "../contract/refusals.ts";

export type { Access } from "../contract/endpoint.ts";
export type { ShopEvent } from "../contract/events.ts";
export type { Refusal, TokenLimit, TryAgain } from "../contract/refusals.ts";

/** Every call: what it is asked, what it answers, and which refusals are its own. */
export type Calls = {
  [Name in EndpointName]: {
    ask: Asking<Endpoints[Name]> & FileOf<Endpoints[Name]>;
    reply: Reply<Endpoints[Name]>;
    refusal: RefusalOf<Endpoints[Name]>;
  };
};

/** The body of a call, sent under its own type. */
type FileOf<E extends Endpoint> = NonNullable<E["file"]> extends never ? unknown : { file: Blob };

/** What any call may refuse. */
export type CommonRefusal = (typeof commonRefusals)[number];
