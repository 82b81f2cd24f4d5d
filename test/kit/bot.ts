import { afterAll, afterEach, beforeAll } from "vitest";
import { tokenOfPrograms } from "./proofs.ts";
import { startShop, type TestShop } from "./shop.ts";
import { openTelegramServer, type Person, type TelegramServer } from "./telegram.ts";

export interface BotStage {
  readonly telegram: TelegramServer;
  readonly shop: TestShop;
  somebody(language?: string): Person;
  linked(language?: string, dollars?: string): Promise<{ ann: Person; token: string }>;
}

type Writable = { -readonly [Key in keyof BotStage]: BotStage[Key] };

/** A clock that moves only when the bot waits, so Telegram's limits cost no time. */
export function timeThatPasses() {
  let at = 0;
  return { clock: () => at, pause: async (milliseconds: number) => void (at += milliseconds) };
}

export function botStage(): BotStage {
  const stage = {} as Writable;
  let people = 5_000_000_000; // longer than 32 bits, as Telegram's numbers may be
  stage.somebody = (language) => stage.telegram.person(++people, language);
  stage.linked = async (language, dollars) => {
    const token = await (dollars === "0" ? stage.shop.member() : stage.shop.buyer(dollars));
    const ann = stage.somebody(language);
    ann.say(`/start auth_${await tokenOfPrograms(stage.shop, token)}`);
    await ann.hear();
    return { ann, token };
  };
  beforeAll(async () => {
    stage.telegram = await openTelegramServer();
    stage.shop = await startShop(stage.telegram.settings, undefined, { bot: timeThatPasses() });
  }, 60_000);
  afterEach(() => {
    stage.telegram.answer = () => undefined;
  });
  afterAll(async () => {
    await stage.shop.stop();
    await stage.telegram.close();
  });
  return stage;
}
