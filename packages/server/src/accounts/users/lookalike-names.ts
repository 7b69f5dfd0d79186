/** Letters of other scripts that look like Latin ones; lower and upper case are listed separately. */
const scripts: readonly Readonly<Record<string, string>>[] = [
  pairs('аa еe оo рp сc уy хx іi јj ѕs ԁd һh ӏl ԛq ԝw АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS ԌG ӀI ԚQ ԜW'),
  pairs('οo νv ρp αa ιi κk υu γy χx ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX'),
];

const toLatin = new Map(scripts.flatMap((letters) => Object.entries(letters)));
const fromLatin = scripts.map((letters) => new Map(Object.entries(letters).map(([letter, latin]) => [latin, letter])));

function pairs(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(text.split(' ').map(([letter = '', latin = '']) => [letter, latin]));
}

/** Names in other scripts that look the same as this one. */
export function findLookalikes(username: string): readonly string[] {
  const name = username.normalize('NFKC');
  const latin = latinOf(name);
  const others = fromLatin.flatMap((letters) => written(latin, letters) ?? []);
  return [latin, ...others].filter((other) => other !== name);
}

/** Comparison key: equal for all names that look alike, and possibly for others. */
export const lookalikeKey = (username: string): string => latinOf(username.normalize('NFKC')).toLowerCase();

/** The Latin lookalike of a name, or the name itself. */
const latinOf = (name: string): string => written(name, toLatin) ?? name;

/** Undefined if a letter has no counterpart, or if nothing would change. */
function written(name: string, letters: ReadonlyMap<string, string>): string | undefined {
  let hasOther = false;
  let text = '';
  for (const letter of name) {
    const other = letters.get(letter);
    if (other === undefined && /\p{L}/u.test(letter)) return undefined;
    hasOther ||= other !== undefined;
    text += other ?? letter;
  }
  return hasOther ? text : undefined;
}
