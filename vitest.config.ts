import { defineConfig } from 'vitest/config';

/** Generous: a slow machine must not fail a test. The slowest test takes three minutes on a third of a busy core. */
const timeoutMs = 600_000;
function project(name: string, include: string[], own: object = {}, vite: object = {}) {
  return { extends: true as const, test: { name, include, ...own }, ...vite };
}

/** React's production build renders three times as fast as its development build. */
const productionReact = { oxc: { jsx: { runtime: 'automatic', development: false } } };

export default defineConfig({
  test: {
    maxWorkers: 2,
    // Loading the server for each file takes longer than most of its tests. Modules hold no state that another test depends on.
    isolate: false,
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    teardownTimeout: timeoutMs,
    // Longer than a node waits for the database and for other nodes in turn. A poll ends as soon as it succeeds.
    expect: { poll: { timeout: 60_000 } },
    passWithNoTests: true,
    env: { TZ: 'UTC' },
    projects: [
      project('contract', ['packages/contract/src/**/*.test.ts']),
      project('dialects', ['packages/dialects/src/**/*.test.ts']),
      project('providers', ['packages/providers/src/**/*.test.ts']),
      project('relay', ['packages/relay/src/**/*.test.ts']),
      project('client', ['packages/client/src/**/*.test.ts']),
      project('testkit', ['packages/testkit/src/**/*.test.ts']),
      project('console', ['packages/console/src/**/*.test.ts']),
      project(
        'console-pages',
        ['packages/console/src/**/*.test.tsx'],
        {
          environment: './packages/console/src/testing/dom-environment.config.ts',
          setupFiles: 'packages/console/src/testing/setup-dom.ts',
          globalSetup: 'packages/console/src/testing/global-setup.ts',
          env: { NODE_ENV: 'production' },
        },
        productionReact,
      ),
      project('scripts', ['scripts/**/*.test.ts']),
      // In the server, `x.test.ts` runs on SQLite, `x.pg.test.ts` on PostgreSQL, `x.db.test.ts` on both.
      project('server-sqlite', ['packages/server/src/**/*.test.ts'], {
        provide: { database: 'sqlite' },
        exclude: ['**/*.pg.test.ts'],
      }),
      project('server-postgres', ['packages/server/src/**/*.{db,pg}.test.ts'], {
        provide: { database: 'postgres' },
        globalSetup: 'scripts/postgres/vitest-global-setup.ts',
      }),
    ],
  },
});
