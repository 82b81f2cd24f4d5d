import fc from "fast-check";
import { expect, test } from "vitest";
import { addServices, cleanServices, pastedServices } from "./restrictedServices.ts";

test("the input keeps letters, digits, dots, commas and hyphens in small letters, without scheme and www", () => {
  expect(cleanServices("HTTPS://WWW.Google.com/mail?x=1, http://x-1.org")).toBe("google.com,x-1.org");
  expect(cleanServices("goo_gle!.com ,пример.РФ")).toBe("google.com,пример.рф");
});

test("an address may be typed sign by sign, with its scheme", () => {
  const typed = "https://www.google.com,http://x.com"
    .split("")
    .reduce((kept, sign) => cleanServices(kept + sign), "");
  expect(typed).toBe("google.com,x.com");
});

test("a pasted list is one entry a line, whatever parts it", () => {
  expect(pastedServices("google.com\r\nx.com; zoom.us  reddit.com\n")).toBe(
    "google.com,x.com,zoom.us,reddit.com",
  );
});

test("what looks like name.tld is added, in the order in which it was entered", () => {
  expect(addServices(["x.com"], "google.com, mail.пример.рф,xn--e1afmkfd.xn--p1ai")).toEqual({
    services: ["x.com", "google.com", "mail.пример.рф", "xn--e1afmkfd.xn--p1ai"],
    left: "",
    some: false,
  });
});

test.each(["google", "google.c", "google.1a", ".com", "-a.com", "a-.com", "a..com", "com.", "-"])(
  "%s is no domain and stays in the input",
  (entry) => {
    expect(addServices([], entry)).toEqual({
      services: [],
      left: entry,
      trouble: "invalidDomain",
      some: false,
    });
  },
);

test("what is there already stays, entered twice or added before", () => {
  expect(addServices(["x.com"], "X.com")).toMatchObject({
    services: ["x.com"],
    left: "x.com",
    trouble: "alreadyExists",
  });
  expect(addServices([], "a.com,a.com")).toMatchObject({
    services: ["a.com"],
    left: "a.com",
    trouble: "alreadyExists",
  });
});

test("of several, what is right is added, and it is said that some were not", () => {
  expect(addServices(["x.com"], "foo,google.com,x.com")).toEqual({
    services: ["x.com", "google.com"],
    left: "foo,x.com",
    trouble: "invalidDomain",
    some: true,
  });
});

test("a batch has at most 100 restricted services", () => {
  const many = Array.from({ length: 101 }, (_, at) => `s${at}.com`);
  const { services, left, trouble } = addServices([], many.join(","));
  expect({ count: services.length, left, trouble }).toEqual({
    count: 100,
    left: "s100.com",
    trouble: "tooMany",
  });
});

test("nothing is added by commas alone", () => {
  expect(addServices(["x.com"], " ,, ")).toEqual({ services: ["x.com"], left: "", some: false });
});

test("nothing that is typed is both added and left, and nothing twice", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."aZя1.-,/: ".split("")) }), (text) => {
      const { services, left } = addServices([], text);
      expect(new Set(services).size).toBe(services.length);
      expect(cleanServices(left)).toBe(left);
      expect([...services, ...left.split(",")].filter(Boolean).toSorted()).toEqual(
        cleanServices(text).split(",").filter(Boolean).toSorted(),
      );
    }),
  );
});
