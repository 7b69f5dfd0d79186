import { randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shortest = 4;
const attempts = 12;

/** Candidates, each a character longer than the last: the first that nobody has is taken. */
export function* inviteCodes(): Generator<string> {
  for (let extra = 0; extra < attempts; extra += 1) {
    yield Array.from({ length: shortest + extra }, () => alphabet[randomInt(alphabet.length)]).join('');
  }
}
