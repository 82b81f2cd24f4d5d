// Common passwords and password strength. The server refuses common ones; the pages show both.

/** Words, names and teams of lists of leaked passwords; compared without digits and marks at the ends. */
const commonWords = new Set(
  `postern password passwort passwords passord motdepasse contrasena senha parola hasło haslo wachtwoord salasana lozinka heslo jelszo sifre parol
  qwerty qwertz azerty qwertyuiop qwertyui asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc wsxedc qweasd qweasdzxc asdzxc zaqwsx zaqxsw
  asdfasdf qweqwe asdasd zxczxc qwer asdf zxcv qwaszx poiuyt lkjhgf mnbvcx qwert asdfg zxcvb
  abc abcd abcdef abcdefg abcdefgh aaa xxx test tester testing guest user username login welcome welcom access secret letmein letmeinnow
  admin administrator root toor master super superman superuser default changeme temp temporary pass passw demo
  iloveyou ilove loveyou lovely loveme iloveu love lovelove loverboy forever always sweetheart baby babygirl babyboy angel angels princess prince
  princesa sunshine sunflower flower flowers rainbow butterfly summer winter autumn spring monday friday sunday january november december september october
  monkey dragon tiger lion eagle falcon panther wolf bear shark dolphin horse horses puppy kitty kitten doggy snoopy garfield pokemon pikachu bunny chicken turtle
  football baseball basketball soccer hockey tennis golf golfer fishing hunter hunting racing skater surfer runner swimming
  arsenal chelsea liverpool barcelona realmadrid juventus manchester everton rangers celtic milan yankees lakers steelers cowboys eagles dallas boston chicago
  london paris berlin moscow newyork california texas florida america england russia brasil brazil mexico canada india pakistan
  batman spiderman ironman starwars startrek matrix gandalf naruto sonic mario zelda minecraft pokemon harrypotter
  michael michelle jennifer jessica jordan daniel matthew andrew anthony joshua charlie thomas robert robbie george william nicole amanda ashley hannah samantha
  natasha alexander alexandra alex maria marina anna olga ivan sergey dmitry vladimir svetlana elena nikita andrey maksim maxim oksana katya nastya
  fernando alejandro carlos roberto antonio daniela gabriel miguel sebastian mohammed muhammad ahmed fatima abdullah krishna ganesh sairam
  computer internet google facebook instagram youtube samsung android iphone apple microsoft windows linux ubuntu mercedes ferrari porsche toyota honda yamaha corvette mustang camaro harley
  hello hellohello hello1 goodluck whatever nothing anything something trustno trustnoone trustme freedom jesus jesuschrist christ heaven blessed god godisgood peace
  killer hacker ninja samurai warrior soldier sniper marine army navy police pirate shadow ghost phantom demon devil lucifer satan vampire
  cheese cookie cookies chocolate banana orange apples peaches pepper ginger coffee pizza butter sugar honey candy lollipop
  silver golden diamond purple yellow green black white red blue red123 matrix crystal phoenix thunder lightning storm hurricane
  money dollar cash bitcoin million business company office manager doctor teacher student school college
  asshole bitch fuckyou fuckme fuckoff fuck shit pussy bigdick biteme sexy hottie naked
  mynoob noob gamer gaming player cool cooldude dude buddy bestfriend friend friends family mother father mommy daddy brother sister
  privet lubov lyubov solnce solnyshko kisska zaika marinka pavlik natali nikolay klaster parolparol qwertyu ytrewq gfhjkm
  woaini aini wodemima mima nihao zhang
  namaste bharat hindustan salam habibi allah bismillah`.split(/\s+/),
);

const rows = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "1q2w3e4r5t6y7u8i9o0p",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
  "qazwsxedcrfvtgbyhnujm",
  "qwertzuiop",
  "azertyuiop",
  "147258369",
  "159753",
  "741852963",
].flatMap((row) => [row, reversed(row)]);

const leet: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/** True for a common word with affixes, a keyboard run, a repetition, blanks, the account's own address, or one of `names`. */
export function isCommonPassword(password: string, email = "", names: readonly string[] = []): boolean {
  const plain = password.toLowerCase();
  const letters = plain.replace(/[^a-z]+/g, "");
  if (plain.trim() === "" || new Set(plain).size < 3 || isRepeated(plain) || isRun(plain)) return true;
  const [local = "", domain = ""] = email.toLowerCase().split("@");
  if (plain === email.toLowerCase() || (local.length > 2 && bare(plain) === bare(local)) || plain === domain)
    return true;
  const spelled = plain
    .split("")
    .map((letter) => leet[letter] ?? letter)
    .join("");
  const words = [
    plain,
    bare(plain),
    spelled,
    bare(spelled),
    letters.length >= plain.length - 4 ? letters : "",
  ];
  return words.some(
    (word) =>
      commonWords.has(word) || names.includes(word) || (word.length > 3 && (isRun(word) || isRepeated(word))),
  );
}

const bare = (text: string) => text.replace(/^[^a-z]+|[^a-z]+$/g, "");

function reversed(text: string): string {
  return text.split("").toReversed().join("");
}

const isRepeated = (text: string) => /^(.{1,4}?)\1+$/s.test(text) || /^(.{3,})\1+$/s.test(text);

function isRun(text: string): boolean {
  const inRow = (part: string) => rows.some((row) => row.includes(part));
  if (inRow(text)) return true;
  for (let at = 3; at <= text.length - 3; at++)
    if (inRow(text.slice(0, at)) && inRow(text.slice(at))) return true;
  return false;
}

export type PasswordStrength = "weak" | "fair" | "strong";

/** A rough estimate by length and kinds of characters. */
export function passwordStrength(password: string, email = ""): PasswordStrength {
  if (isCommonPassword(password, email)) return "weak";
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/];
  const sizes = [26, 26, 10, 32];
  const pool = kinds.reduce((sum, kind, at) => sum + (kind.test(password) ? (sizes[at] ?? 0) : 0), 0);
  const length = (password.length + new Set(password).size) / 2;
  const bits = length * Math.log2(pool);
  if (bits < 45) return "weak";
  return bits < 65 ? "fair" : "strong";
}
