import { defineConfig } from 'vitest/config';

const timeoutMs = 120_000;
const serverTests = ['packages/server/src/**/*.test.ts'];

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
      project('server-sqlite', serverTests, { provide: { database: 'sqlite' } }),
      project('server-postgres', serverTests, {
        provide: { database: 'postgres' },
        globalSetup: 'scripts/postgres/vitest-global-setup.ts',
      }),
    ],
  },
});
