import { randomInt } from 'node:crypto';
import {
  displayNameLength,
  isUsername,
  stripControlCharacters,
  stripInvisibleCharacters,
  usernameLength,
} from '@headgate/contract';

const attempts = 12;

/**
 * Username candidates for a new account, starting with the login name at the provider or directory; without a usable
 * one, `prefix` with digits.
 */
export function* usernameCandidates(login: string, prefix: string): Generator<string> {
  const given = cut(
    stripInvisibleCharacters(login.normalize('NFKC')).replace(/[^\p{L}\p{N}._-]/gu, ''),
    usernameLength.max,
  );
  const own = isUsername(given) ? given : '';
  if (own !== '') yield own;
  for (let digits = own === '' ? 5 : 2, count = 0; count < attempts; count += 1, digits += count % 3 === 0 ? 1 : 0) {
    const number = String(randomInt(10 ** digits)).padStart(digits, '0');
    yield cut(own || prefix, usernameLength.max - digits) + number;
  }
}

/** The first nonempty name, otherwise the username. */
export const displayNameFrom = (names: readonly string[], username: string): string =>
  cut(
    names.map((name) => stripControlCharacters(name).trim()).find((name) => name !== '') ?? '',
    displayNameLength.max,
  ) || username;

/** Truncates to a length in code units without splitting a surrogate pair. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
