import type { Command } from './product-commands.ts';

/** Developer commands of a checkout. Each parses its own arguments. */
export const developerCommands = {
  dev: { does: 'server and console with reload' },
  build: { does: 'builds the console and the server' },
  pack: { does: 'builds the installable package' },
  release: { does: 'checks, builds and tags a release; --dry-run only checks and builds' },
  check: { does: 'fast checks: types, lint, imports, dead code' },
  test: { does: 'runs all checks and tests' },
  'test-changed': { does: 'runs tests of files changed since a commit' },
  e2e: { does: 'runs the browser tests' },
  bench: { does: 'benchmarks the relay against a bare pipe' },
  'bench-api': { does: 'benchmarks lists, totals and cleanup with a million log entries' },
  'bench-import': { does: 'benchmarks importing a million log entries of another gateway' },
  simulate: { does: 'simulates many nodes and users with a virtual clock and network' },
  'mixed-versions': { does: 'tests an upgrade without downtime from another version' },
  'providers-doc': { does: 'writes docs/providers.md from the adaptors' },
  'dialects-doc': { does: 'writes docs/dialects.md from the dialects and the adaptors' },
  'settings-doc': { does: 'writes docs/settings.md from the tables of variables and options' },
  screens: { does: 'takes screenshots of every page for docs/screens' },
  size: { does: "reports the script size of each page's first load against its budget" },
  'spec-coverage': { does: 'lists which specification checks are proven by tests' },
  'attack-coverage': { does: 'lists which attack cases are proven by tests' },
} as const satisfies Readonly<Record<string, Command>>;
