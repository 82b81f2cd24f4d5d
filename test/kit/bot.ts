import { afterAll, afterEach, beforeAll } from "vitest";
import { startShop, type TestShop } from "./shop.ts";
import { openTelegramServer, type Person, type TelegramServer } from "./telegram.ts";

/** A shop whose bot lives on a Telegram of this file's own. */
export interface BotStage {
  readonly telegram: TelegramServer;
  readonly shop: TestShop;
  /** Somebody who has never written to the bot. */
  somebody(language?: string): Person;
  /** Somebody whose chat speaks for his account, with so many dollars topped up; "0" for none. */
  linked(language?: string, dollars?: string): Promise<{ ann: Person; token: string }>;
}

type Writable = { -readonly [Key in keyof BotStage]: BotStage[Key] };

/** A time that moves only when the bot waits: Telegram's limits cost a test nothing. */
export function timeThatPasses() {
  let at = 0;
  return { clock: () => at, pause: async (milliseconds: number) => void (at += milliseconds) };
}

/** Sets the stage for a test file; what it answers is filled when the tests run. */
export function botStage(): BotStage {
  const stage = {} as Writable;
  let people = 5_000_000_000; // longer than 32 bits, as Telegram's numbers may be
  stage.somebody = (language) => stage.telegram.person(++people, language);
  stage.linked = async (language, dollars) => {
    const token = await (dollars === "0" ? stage.shop.member() : stage.shop.buyer(dollars));
    const ann = stage.somebody(language);
    ann.say(`/start auth_${token}`);
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
