import type { InspectedSettings } from '../../config.ts';
import { closestWord } from './closest-word.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const check = 'settings';
const maxFindings = 20;
/** Other names are not printed: they may contain anything. */
const plainName = /^\w{1,64}$/;

/** Reports invalid settings and names that look like misspelt ones. Values are not printed. */
export function checkSettings({ known, fromFile, fromEnvironment, faults }: InspectedSettings): readonly Finding[] {
  const found = [
    ...faults.map((fault) => fail(check, fault, 'Correct it, or unset it to use the default.')),
    ...fromFile.flatMap((name) => unknownName(name, known, true)),
    // The environment has many unrelated variables, so only likely typos are reported.
    ...fromEnvironment.filter((name) => !fromFile.includes(name)).flatMap((name) => unknownName(name, known, false)),
  ].slice(0, maxFindings);
  if (found.length > 0) return found;
  const set = known.filter((name) => fromEnvironment.includes(name));
  return [ok(check, set.length === 0 ? 'all defaults' : `set: ${set.join(', ')}`)];
}

function unknownName(name: string, known: readonly string[], isInFile: boolean): readonly Finding[] {
  if (known.includes(name) || !plainName.test(name)) return [];
  const meant = closestWord(name, known);
  if (meant !== undefined) return [warn(check, `${name} is not a setting.`, `Did you mean ${meant}?`)];
  return isInFile
    ? [warn(check, `${name} in .env is not a setting of Headgate.`, 'Remove it or correct the name.')]
    : [];
}
