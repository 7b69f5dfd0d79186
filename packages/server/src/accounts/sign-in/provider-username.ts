import { randomInt } from 'node:crypto';
import {
  displayNameLength,
  isUsername,
  type LoginProviderName,
  usernameLength,
  withoutControls,
  withoutUnseen,
} from '@headgate/contract';
import type { ProviderAccount } from './provider.ts';

const attempts = 12;

/** Names for a new account, the person's own first: the first that nobody has is taken. */
export function* usernamesFor(provider: LoginProviderName, { login }: ProviderAccount): Generator<string> {
  const given = cut(withoutUnseen(login.normalize('NFKC')).replace(/[^\p{L}\p{N}._-]/gu, ''), usernameLength.max);
  const own = isUsername(given) ? given : '';
  if (own !== '') yield own;
  for (let digits = own === '' ? 5 : 2, count = 0; count < attempts; count += 1, digits += count % 3 === 0 ? 1 : 0) {
    const number = String(randomInt(10 ** digits)).padStart(digits, '0');
    yield cut(own || `${provider}_`, usernameLength.max - digits) + number;
  }
}

export const displayNameFor = ({ name, login }: ProviderAccount, username: string): string =>
  cut(withoutControls(name).trim() || withoutControls(login).trim(), displayNameLength.max) || username;

/** A text cut to a length in code units, without half a character at the end. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
