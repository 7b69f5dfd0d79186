import type { GivenSettings } from '../../config.ts';
import { closestWord } from './closest-word.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const check = 'settings';
/** More of them help nobody. */
const mostNamed = 20;
/** Names are those of variables, and others may have written them. */
const plainName = /^\w{1,64}$/;

/** Every setting that is wrong, and names that are nearly those of settings. Values are not told. */
export function checkSettings({ known, fromFile, fromEnvironment, faults }: GivenSettings): readonly Finding[] {
  const found = [
    ...faults.map((fault) => fail(check, fault, 'Set it rightly, or unset it to use the default.')),
    ...fromFile.flatMap((name) => unknownName(name, known, true)),
    // The environment is full of what is not ours: only what looks like a slip is told.
    ...fromEnvironment.filter((name) => !fromFile.includes(name)).flatMap((name) => unknownName(name, known, false)),
  ].slice(0, mostNamed);
  if (found.length > 0) return found;
  const set = known.filter((name) => fromEnvironment.includes(name));
  return [ok(check, set.length === 0 ? 'all are at their defaults' : `understood: ${set.join(', ')}`)];
}

function unknownName(name: string, known: readonly string[], isInFile: boolean): readonly Finding[] {
  if (known.includes(name) || !plainName.test(name)) return [];
  const meant = closestWord(name, known);
  if (meant !== undefined) return [warn(check, `${name} is no setting.`, `Did you mean ${meant}?`)];
  return isInFile
    ? [warn(check, `${name} in .env is no setting of Headgate.`, 'Remove it if it was meant as one.')]
    : [];
}
