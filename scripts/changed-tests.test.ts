import { expect, test } from 'vitest';
import { testsFor } from './changed-tests.ts';

const tests = [
  'packages/console/src/app/frame.test.tsx',
  'packages/console/src/pages/log/filters/chips.test.tsx',
  'packages/console/src/pages/log/log-page.test.tsx',
  'packages/console/src/pages/token/token-page.test.tsx',
  'packages/relay/src/routing/order.test.ts',
  'packages/relay/src/run/fail-over.test.ts',
  'packages/server/src/accounts/users/users.test.ts',
  'packages/server/src/relay/charges/charges.db.test.ts',
  'packages/server/src/relay/relay.test.ts',
  'scripts/commands.test.ts',
];

test.each<readonly [string, readonly string[]]>([
  [
    'packages/console/src/pages/log/log-table.tsx',
    ['packages/console/src/pages/log/filters/chips.test.tsx', 'packages/console/src/pages/log/log-page.test.tsx'],
  ],
  ['packages/console/src/ui/button.tsx', ['packages/console/src/app/frame.test.tsx']],
  [
    'packages/relay/src/run/fail-over.ts',
    ['packages/relay/src/run/fail-over.test.ts', 'packages/server/src/relay/relay.test.ts'],
  ],
  [
    'packages/server/src/relay/charges/ledger.ts',
    ['packages/server/src/relay/charges/charges.db.test.ts', 'packages/server/src/relay/relay.test.ts'],
  ],
  ['packages/server/src/relay/run/settlement.ts', ['packages/server/src/relay/relay.test.ts']],
  ['packages/server/src/accounts/users/users.test.ts', ['packages/server/src/accounts/users/users.test.ts']],
  ['packages/server/src/accounts/users/deleted.test.ts', []],
  ['scripts/house-rules/rules.ts', ['scripts/commands.test.ts']],
  ['README.md', []],
])('a change to %s runs %j', (file, expected) => {
  expect(testsFor([file], tests)).toEqual(expected);
});

test('runs a test once for several changes', () => {
  const changed = ['packages/server/src/accounts/users/a.ts', 'packages/server/src/accounts/users/b.ts'];
  expect(testsFor(changed, tests)).toEqual(['packages/server/src/accounts/users/users.test.ts']);
});
