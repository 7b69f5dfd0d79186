import { expect, test } from 'vitest';
import { journeyAliases, journeysFor, smokeJourneys } from './changed-journeys.ts';
import { repositoryRoot } from './repository.ts';
import { listFiles } from './source-files.ts';

const journeys = ['alerts.e2e.ts', 'home.e2e.ts', 'log-filters.e2e.ts', 'log.e2e.ts', 'sign-in.e2e.ts', 'token.e2e.ts'];

test.each<readonly [string, readonly string[]]>([
  ['packages/console/src/pages/log/log-table.tsx', ['log-filters.e2e.ts', 'log.e2e.ts']],
  ['packages/console/src/pages/alert/rule-form.tsx', ['alerts.e2e.ts']],
  ['packages/console/src/pages/login/login-form.tsx', ['sign-in.e2e.ts']],
  ['packages/console/src/pages/log/log-table.test.tsx', []],
  ['packages/console/src/ui/button.tsx', ['home.e2e.ts', 'sign-in.e2e.ts', 'token.e2e.ts']],
  ['packages/e2e/src/support/steps.ts', ['home.e2e.ts', 'sign-in.e2e.ts', 'token.e2e.ts']],
  ['packages/e2e/src/accounts/token.e2e.ts', ['token.e2e.ts']],
  ['packages/e2e/src/accounts/deleted.e2e.ts', []],
  ['packages/relay/src/run/fail-over.ts', []],
])('a change to %s runs %j', (file, expected) => {
  expect(journeysFor([file], journeys)).toEqual(expected);
});

test('runs a journey once for several changes', () => {
  const changed = ['packages/console/src/pages/token/a.tsx', 'packages/e2e/src/accounts/token.e2e.ts'];
  expect(journeysFor(changed, journeys)).toEqual(['token.e2e.ts']);
});

test('lists only journeys that exist', () => {
  const files = listFiles(repositoryRoot, 'packages/e2e/src', /\.e2e\.ts$/).map((file) => file.split('/').at(-1));
  for (const name of [...smokeJourneys, ...Object.values(journeyAliases).flat()])
    expect(files).toContain(`${name}.e2e.ts`);
});
