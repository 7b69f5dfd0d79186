import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The longest take three minutes on a third of a busy core: what fails should fail for what it says, and not for the machine. */
const timeoutMs = 600_000;
const serverTests = ['packages/server/src/**/*.test.ts'];
/** Test files of the server, by folder; one that is no longer there is a mistake here. */
function inServer(files: Readonly<Record<string, readonly string[]>>): string[] {
  const paths = Object.entries(files).flatMap(([folder, names]) =>
    names.map((name) => join(folder, `${name}.test.ts`)),
  );
  const tests = paths.map((path) => join('packages/server/src', path));
  const missing = tests.filter((path) => !existsSync(join(import.meta.dirname, path)));
  if (missing.length > 0) throw new Error(`vitest.config.ts names tests that are not there: ${missing.join(', ')}`);
  return tests;
}

/** About a file in the data folder, or about one process alone. */
const onlyOnSqlite = inServer({
  'config-file': ['beside-server'],
  'relay/charges': ['charge-journal'],
  'relay/leases': ['one-process'],
});

/** About several nodes on one database. */
const onlyOnPostgres = inServer({
  users: ['access-token-nodes', 'access-token-races'],
  archive: ['moved', 'round-trip'],
  budgets: ['budget-nodes'],
  alerts: ['alert-nodes'],
  channels: ['channel-changes'],
  'cluster-faults': [
    'clock-skew',
    'cut-connections',
    'cut-off-nodes',
    'database-outages',
    'killed-nodes',
    'older-nodes',
  ],
  'config-file': ['apply-beside-changes', 'felt-by-nodes'],
  db: ['database-limits', 'listening-connection', 'migrating-under-load', 'month-partitions'],
  '.': ['rolling-restart'],
  workers: ['workers'],
  http: ['database-away'],
  importing: ['beside-servers', 'postgres-source', 'server-source'],
  'kept-bodies': ['kept-body-nodes'],
  limits: ['shared-limits'],
  logs: ['month-cleaning'],
  nodes: ['felt-changes', 'hostile-nodes', 'shared-limits-of-the-relay'],
  options: ['option-nodes'],
  routing: ['routing-nodes'],
  'relay/charges': ['charge-groups', 'groups-at-once', 'lost-commits'],
  'relay/leases': ['idle-leases', 'lost-touch', 'nodes', 'out-of-touch', 'silent-nodes', 'streams-over-nodes'],
  'relay/limits': ['limit-nodes'],
  totals: ['folding', 'unfolded-totals'],
  broadcasts: ['unreadable-broadcasts'],
  usage: ['token-nodes'],
});

/**
 * About wires, words, sockets and headers: what they store, others store in the same way on both databases. They run on SQLite.
 * A test that asks what is stored, found, locked or ordered is not one of them.
 */
const withoutStorage = inServer({
  '.': ['config', 'log-lines'],
  bodies: ['inflate', 'json-structure'],
  'config-file': ['file-schema', 'hostile-texts', 'plan-changes', 'yaml-text'],
  http: [
    'api-documents',
    'closing-connections',
    'console-files',
    'cross-site',
    'readable-url',
    'security-headers',
    'serve-table',
    'unknown-path',
  ],
  importing: ['mysql-sign-in', 'mysql-source', 'source-address'],
  login: ['oidc-id-token', 'provider-faults'],
  mail: ['mail-queue', 'mail-test', 'mail-tls'],
  'relay/answers': [
    'answers-in-events',
    'azure-streams',
    'encoded-answers',
    'ignored-hints',
    'pictures-and-sound',
    'pictures-by-address',
    'speech-errors',
  ],
  'relay/channels': [
    'all-types',
    'all-types-faults',
    'all-types-limits',
    'all-types-models',
    'documented-addresses',
    'forbidden-places',
    'secrets-in-answers',
    'silence-limits',
  ],
  'relay/charges': [
    'charge-pace',
    'group-writer',
    'hang-ups-of-media',
    'own-count',
    'own-faults',
    'prompt-cache',
    'unpriced-fields',
    'what-is-held',
  ],
  'relay/clients': [
    'client-failures',
    'client-forms-of-chat',
    'client-headers',
    'client-pictures',
    'client-sound',
    'client-texts',
    'clients',
    'http-client-sink',
    'idle-readers',
    'more-clients',
    'presented-key',
    'slow-readers',
  ],
  'relay/dialects': [
    'agents',
    'all-types-dialects',
    'doors-of-dialects',
    'held-in-every-dialect',
    'matrix-conversations',
    'matrix-failures',
    'matrix-wishes',
    'paid-in-every-dialect',
    'thought-signatures',
    'tool-loops',
  ],
  'relay/door': ['bodies', 'compressed-bodies', 'door-fuzz', 'odd-words', 'one-meaning', 'scope-at-every-door'],
  'relay/proxy': ['proxy-address', 'proxy-limits'],
  'relay/routing': ['routing-table'],
  secrets: ['secret-box'],
  traces: ['trace-settings', 'traces'],
  users: ['invite-code'],
});

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
    teardownTimeout: timeoutMs,
    // A poll ends when it succeeds. It is given longer than nodes wait for a database and for each other, one after the other.
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
      project('console', ['packages/console/src/**/*.test.ts', 'packages/console/src/**/*.test.tsx']),
      project('scripts', ['scripts/**/*.test.ts']),
      project('server-sqlite', serverTests, { provide: { database: 'sqlite' }, exclude: onlyOnPostgres }),
      project('server-postgres', serverTests, {
        provide: { database: 'postgres' },
        exclude: [...onlyOnSqlite, ...withoutStorage],
        globalSetup: 'scripts/postgres/vitest-global-setup.ts',
      }),
    ],
  },
});
