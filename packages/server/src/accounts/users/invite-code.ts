import { randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shortest = 4;
const attempts = 12;

/** Candidates, each one character longer than the last; the first free one is used. */
export function* inviteCodes(): Generator<string> {
  for (let extra = 0; extra < attempts; extra += 1) {
    yield Array.from({ length: shortest + extra }, () => alphabet[randomInt(alphabet.length)]).join('');
  }
}
