import { randomInt } from "node:crypto";

// Common given and family names of several countries.
const givenNames = `
  aaron adam adele adrian agnes aidan alan albert alex alice alina amelia amy ana andre andrea andrew angela anita anna anton
  ariel arthur ashley astrid aurora axel barbara beata ben bianca boris bruno camila carla carlos carmen caroline cecilia celia
  charles chloe chris clara claire colin cora dan dana daniel daria david dean denis diana diego dmitri dora edgar edith eduard
  elena eli elias elisa ella ellen elsa emil emilia emily emma eric erika ernest eva evan fabian felix fiona flora frank freya
  gabriel gemma george gerald gina grace greta hana hannah harry hector helen henry hugo ian ida igor ilona ines ingrid irene
  iris isaac isabel ivan ivy jack jacob jade jakob james jan jana jane jason jasmin jean jenny jerome joan joel john jon jonas
  jordan josef julia julian june karen karl kate katya keith kevin kira klara lara laura lea leah leo leon lena liam lidia lily
  linda lisa louis lucas lucia lucy luis luke lydia maja marc marco marcus maria marina mario mark marta martin mary mateo matt
  maya max mia michael mila milan mira miriam monica naomi natalie nathan nelly nick nicole nina noah nora olga oliver olivia
  oscar otto owen pablo patrick paul paula pavel pedro peter petra philip pia rachel rafael ralph raul rebecca rene rita robert
  robin rosa rose ruben ruth ryan samuel sandra sara sean sebastian simon sofia sonia stefan stella steven susan sven sylvia
  tamara tanya tara thea theo thomas tim tina tobias tom tony valeria vera victor vincent viola walter wanda will yan yara yvonne
  zara zoe`
  .trim()
  .split(/\s+/);

const familyNames = `
  abbott adler allen alvarez anders andrade archer arnold avery bailey baker barker barnes bauer bayer beck becker bell bennett
  berg berger bishop black blake bond booth bowen boyd brandt bright brooks brown bryant burke burns butler byrne calvo campos
  cano carey carr carter castro chapman clark clarke cole coleman collins conrad cook cooper costa cox craig cross cruz curtis
  dale daly davis dawson day dean delgado dias diaz dixon doyle drake duarte dunn duran eaton eder edwards egger ellis engel
  evans faber farrell faria faulkner ferrer fields fischer fisher fleming flores flynn ford foster fox francis franco frank
  fraser freeman french fuchs fuller garner garza gibbs gibson gil glover gomez gordon graf graham grant gray green greene
  griffin gross gruber haas hale hall hansen hardy harper harris hart hayes heller henry herman hill hobbs hoffman holmes holt
  horn horton howard huber hudson hughes hunt hunter ingram jacobs jansen jensen johns jones jordan kaiser kane kelly kemp
  kennedy kerr king klein knight koch kraus kruger lamb lambert lane lang larsen lawson leal lee lehmann leon lewis lind little
  lloyd long lopez lorenz lowe lucas ludwig lynch mann marin marsh martin mason mayer medina meier mendes meyer miles miller
  mills molina moore morales moran morgan morris moser moss muller munoz murphy murray myers nash neal nelson neumann newman
  nolan norris novak nunez olsen ortega ortiz osborn otto owens page palmer park parker parks pavlov payne pearce perez perry
  peters pfeiffer phelps pierce pohl pope porter potter powell price quinn ramos reed reid reyes rhodes rice richter riley rios
  rivera roberts robles rogers roman romero rose ross roth rowe ruiz russell ryan salazar sanders santos sauer schmidt schubert
  schulz scott shaw silva simon singer sloan smith snyder soto sousa stein stone strauss sutton swan tate taylor terry thiel
  thomas torres tucker turner vance vargas vaughn vega vidal vogel wagner walker wallace walsh walter ward warren watson watts
  weber weiss wells werner west wheeler white wilde winkler winter wolf wood woods wright york young ziegler zimmer`
  .trim()
  .split(/\s+/);

function pick<Item>(list: readonly Item[]): Item {
  const item = list[randomInt(list.length)];
  if (item === undefined) throw new Error("there is nothing to pick from");
  return item;
}

const digits = (count: number): string => String(randomInt(10 ** count)).padStart(count, "0");

const initials = "abcdefghijklmnoprstvw".split("");

const forms: readonly ((given: string, family: string) => string)[] = [
  (given, family) => `${given}.${family}`,
  (given, family) => `${given}_${family}`,
  (given, family) => `${given}${family}${digits(2)}`,
  (given, family) => `${given}.${family}${digits(2)}`,
  (given, family) => `${given}.${family}${digits(4)}`,
  (given, family) => `${given}${family}${1960 + randomInt(46)}`,
  (given, family) => `${given[0]}${family}${digits(3)}`,
  (given, family) => `${given[0]}.${family}${digits(4)}`,
  (given, family) => `${family}.${given}${digits(2)}`,
  (given, family) => `${given}_${family[0]}${digits(4)}`,
  (given, family) => `${given}.${pick(initials)}.${family}${digits(1)}`,
  (given, family) => `${family}${given[0]}${digits(4)}`,
];

/** Plausible and different local parts, none in `not`. Unpredictable, so that a stranger cannot guess the next address of the stock. */
export function localParts(count: number, not: ReadonlySet<string> = new Set()): string[] {
  const made = new Set<string>();
  while (made.size < count) {
    const one = pick(forms)(pick(givenNames), pick(familyNames));
    if (!not.has(one)) made.add(one);
  }
  return [...made];
}
