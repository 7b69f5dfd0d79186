import { expect, test } from 'vitest';
import { matchEntries } from './match-entries.ts';

const entries = ['Add channel', 'Channels', 'Redemption codes', 'Add user'].map((label) => ({ label }));
const found = (typed: string) => matchEntries(entries, typed).map(({ label }) => label);

test.each([
  ['', ['Add channel', 'Channels', 'Redemption codes', 'Add user']],
  ['chan', ['Channels', 'Add channel']],
  ['  ADD ', ['Add channel', 'Add user']],
  ['add us', ['Add user']],
  ['code red', ['Redemption codes']],
  ['nothing of this', []],
])('matches %j with %j', (typed, words) => {
  expect(found(typed)).toEqual(words);
});
