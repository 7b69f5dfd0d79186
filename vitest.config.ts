import { defineConfig } from 'vitest/config';

const timeoutMs = 120_000;
const serverTests = ['packages/server/src/**/*.test.ts'];
const inServer = (...paths: readonly string[]) => paths.map((path) => `packages/server/src/${path}.test.ts`);

/** Of a file in the data folder, or of one process alone. */
const onlyOnSqlite = inServer('relay/charges/charge-journal', 'relay/leases/one-process');

/** Of several nodes on one database. */
const onlyOnPostgres = inServer(
  'channels/channel-changes',
  'db/listening-connection',
  'options/option-nodes',
  'relay/charges/lost-commits',
  'relay/leases/nodes',
  'relay/leases/out-of-touch',
  'relay/leases/streams-over-nodes',
);

function project(name: string, include: string[], own: object = {}) {
  return { extends: true as const, test: { name, include, ...own } };
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    // Loading the server anew for each file would take longer than its tests; no module keeps what another test minds.
    isolate: false,
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    // A poll ends when it succeeds; on a busy machine that may take longer than the second it is given by default.
    expect: { poll: { timeout: 15_000 } },
    passWithNoTests: true,
    env: { TZ: 'UTC' },
    projects: [
      project('contract', ['packages/contract/src/**/*.test.ts']),
      project('dialects', ['packages/dialects/src/**/*.test.ts']),
      project('providers', ['packages/providers/src/**/*.test.ts']),
      project('relay', ['packages/relay/src/**/*.test.ts']),
      project('testkit', ['packages/testkit/src/**/*.test.ts']),
      project('console', ['packages/console/src/**/*.test.ts', 'packages/console/src/**/*.test.tsx']),
      project('scripts', ['scripts/**/*.test.ts']),
      project('server-sqlite', serverTests, { provide: { database: 'sqlite' }, exclude: onlyOnPostgres }),
      project('server-postgres', serverTests, {
        provide: { database: 'postgres' },
        exclude: onlyOnSqlite,
        globalSetup: 'scripts/postgres/vitest-global-setup.ts',
      }),
    ],
  },
});
