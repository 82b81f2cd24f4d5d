import { beforeEach, expect, test, vi } from "vitest";
import { hearOtherTabs, isShared, stored } from "./stored.ts";

const kept = new Map<string, string>();

const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
  removeItem: (key: string) => kept.delete(key),
};

beforeEach(() => {
  kept.clear();
  vi.stubGlobal("localStorage", storage);
});

test("the keys are those of the specification", () => {
  const own = [
    "buysWhenPaid",
    "letterBeside",
    "longList",
    "hasAccount",
    "waitingPurchase",
    "theme",
    "hasAccount",
    "buysWhenPaid",
    "waitingPurchase",
    "sampleLanguage",
    "offerOrder",
    "lastLoginMode",
    "activationResendTime",
    "mailTypes",
    "offersHeight",
    "hints",
    "shortcuts",
  ];
  const named = Object.values(stored).map((item) => item.key);
  expect(named.filter((key) => !own.includes(key)).toSorted()).toEqual([
    "activeLang",
    "activeTab",
    "adminTab",
    "authToken",
    "customRegexPresets",
    "customSubjects",
    "fullCurrentPage",
    "language",
    "lastSiteInput",
    "maxFullPageSeen",
    "mode",
    "pendingEmailRequest",
    "selectedSite",
    "showSubject",
    "showToken",
    "subject",
    "viewedStories",
  ]);
});

test("a token is kept as it is, for other programs of the page to read", () => {
  stored.authToken.write("abc");
  expect(kept.get("authToken")).toBe("abc");
});

test("what was spoilt by hand counts as absent", () => {
  kept.set("pendingEmailRequest", "{");
  kept.set("customSubjects", "[1]");
  kept.set("language", "constructor");
  kept.set("activeTab", "elsewhere");
  expect(stored.pendingEmailRequest.read()).toBeNull();
  expect(stored.customSubjects.read()).toEqual([]);
  expect(stored.language.read()).toBe("en");
  expect(stored.activeTab.read()).toBe("activations");
});

test("a session ends in every tab as soon as the tab follows; what is being ordered in one is not changed by another", () => {
  const ofAnotherTab = (key: string, value: string) => kept.set(key, value);
  stored.authToken.write("abc");
  stored.subject.write("welcome");
  stored.fullCurrentPage.write(2);
  expect(stored.mode.read()).toBe("user");
  ofAnotherTab("authToken", "");
  ofAnotherTab("subject", "invoice");
  ofAnotherTab("fullCurrentPage", "10");
  ofAnotherTab("mode", "partner");
  expect(stored.authToken.read()).toBe("abc");
  expect([stored.authToken.follow(), stored.authToken.follow()]).toEqual([true, false]);
  expect(stored.authToken.read()).toBe("");
  expect([stored.subject.read(), stored.fullCurrentPage.read(), stored.mode.read()]).toEqual([
    "welcome",
    2,
    "user",
  ]);
  stored.fullCurrentPage.write(3);
  expect([stored.fullCurrentPage.read(), kept.get("fullCurrentPage")]).toEqual([3, "3"]);
});

test("reading twice gives the same object, so that React sees no change", () => {
  stored.customSubjects.write(["welcome"]);
  expect(stored.customSubjects.read()).toBe(stored.customSubjects.read());
});

test("what a full or blocked storage does not take is remembered, and no older value comes back", () => {
  stored.subject.write("welcome");
  const refuse = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { ...storage, setItem: refuse });
  stored.lastSiteInput.write("zoom.us");
  stored.subject.write("invoice");
  expect([stored.lastSiteInput.read(), stored.subject.read()]).toEqual(["zoom.us", "invoice"]);
  expect([isShared(stored.subject), isShared(stored.mode)]).toEqual([false, true]);
  expect(kept.has("subject")).toBe(false);
  kept.set("lastSiteInput", "reddit.com");
  hearOtherTabs({ key: "lastSiteInput" } as StorageEvent);
  expect(stored.lastSiteInput.read()).toBe("reddit.com");
  vi.stubGlobal("localStorage", undefined);
  stored.customSubjects.write(["welcome"]);
  expect(stored.customSubjects.read()).toEqual(["welcome"]);
  stored.customSubjects.remove();
  expect(stored.customSubjects.read()).toEqual([]);
});
