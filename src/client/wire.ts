// The types of the contract that the client needs. In the package they are written out (scripts/pack-client.ts).
import type { EndpointName, Endpoints } from "../contract/api.ts";
import type { Asking, Endpoint, RefusalOf, Reply } from "../contract/endpoint.ts";
import type { commonRefusals } from "../contract/refusals.ts";

export type { Access } from "../contract/endpoint.ts";
export type { ShopEvent } from "../contract/events.ts";
export type { Refusal, TokenLimit, TryAgain } from "../contract/refusals.ts";

export type Calls = {
  [Name in EndpointName]: {
    ask: Asking<Endpoints[Name]> & FileOf<Endpoints[Name]>;
    reply: Reply<Endpoints[Name]>;
    refusal: RefusalOf<Endpoints[Name]>;
  };
};

type FileOf<E extends Endpoint> = NonNullable<E["file"]> extends never ? unknown : { file: Blob };

export type CommonRefusal = (typeof commonRefusals)[number];
