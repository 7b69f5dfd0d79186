import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** Generous: a slow machine must not fail a test. The slowest test takes three minutes on a third of a busy core. */
const timeoutMs = 600_000;

/** Repetitions and long variants of tests that kill processes or break databases. */
const faultTests = 'packages/server/src/**/*.faults{,.db,.pg}.test.ts';

type ProjectSettings = Omit<TestProjectInlineConfiguration['test'] & object, 'name' | 'include'>;

export default defineConfig(({ mode }) => {
  const isFaultRun = mode === 'faults';
  function project(name: string, include: string[], { exclude = [], ...own }: ProjectSettings = {}) {
    const left = isFaultRun ? exclude : [...exclude, faultTests];
    return { extends: true as const, test: { name, include, exclude: [...configDefaults.exclude, ...left], ...own } };
  }
  const purePackages = [
    ...['contract', 'dialects', 'providers', 'relay', 'importer', 'client', 'testkit', 'site'].map((name) =>
      project(name, [`packages/${name}/src/**/*.test.ts`]),
    ),
    project('console', ['packages/console/src/**/*.test.ts']),
    {
      ...project('console-pages', ['packages/console/src/**/*.test.tsx'], {
        environment: './packages/console/src/testing/dom-environment.config.ts',
        setupFiles: 'packages/console/src/testing/setup-dom.ts',
        globalSetup: 'packages/console/src/testing/global-setup.ts',
        // React's production build renders three times as fast as its development build.
        env: { NODE_ENV: 'production' },
      }),
      oxc: { jsx: { runtime: 'automatic' as const, development: false } },
    },
    project('scripts', ['scripts/**/*.test.ts']),
  ];
  // In the server, `x.test.ts` runs on SQLite, `x.pg.test.ts` on PostgreSQL, `x.db.test.ts` on both;
  // `x.faults.test.ts`, `x.faults.pg.test.ts` and `x.faults.db.test.ts` likewise in `npm run test:faults`.
  const server = (ending: string) => `packages/server/src/**/*${isFaultRun ? '.faults' : ''}${ending}`;
  return {
    test: {
      // One more than cores: tests of several nodes wait a third of their time.
      maxWorkers: availableParallelism() + 1,
      // Loading the server for each file takes longer than most of its tests. Modules hold no state that another test depends on.
      isolate: false,
      // Garbage collection takes less CPU time without helper threads, with a large young generation, and if the old
      // one is not collected before it has 1 GB.
      execArgv: [
        '--min-semi-space-size=32',
        '--max-semi-space-size=64',
        '--initial-old-space-size=1024',
        '--single-threaded-gc',
      ],
      testTimeout: timeoutMs,
      hookTimeout: timeoutMs,
      teardownTimeout: timeoutMs,
      // Longer than a node waits for the database and for other nodes in turn. A poll ends as soon as it succeeds.
      expect: { poll: { timeout: 60_000 } },
      passWithNoTests: true,
      env: {
        TZ: 'UTC',
        // Threads and spawned programs load their modules twice as fast.
        NODE_COMPILE_CACHE: `${import.meta.dirname}/node_modules/.cache/node-compile`,
      },
      projects: [
        ...(isFaultRun ? [] : purePackages),
        project('server-sqlite', [server('{,.db}.test.ts')], {
          provide: { database: 'sqlite' },
          exclude: ['**/*.pg.test.ts'],
        }),
        project('server-postgres', [server('.{db,pg}.test.ts')], {
          provide: { database: 'postgres' },
          globalSetup: 'scripts/postgres/vitest-global-setup.ts',
        }),
      ],
    },
  };
});
