import type { Command } from './product-commands.ts';

/** Developer commands of a checkout. Each parses its own arguments. */
export const developerCommands = {
  dev: { does: 'starts server and console with hot reload' },
  build: { does: 'builds the console and the server' },
  pack: { does: 'builds the installable package' },
  release: { does: 'checks, builds and tags a release; --dry-run only checks and builds' },
  check: { does: 'runs the fast checks: types, lint, house rules, dead code' },
  test: { does: 'runs all checks and tests' },
  'test-changed': { does: 'runs the tests of changed files' },
  e2e: { does: 'runs the browser tests' },
  bench: { does: 'benchmarks the relay against a bare HTTP pipe' },
  'bench-api': { does: 'benchmarks lists, totals and cleanup over a million log rows' },
  'bench-import': { does: 'benchmarks the import of a million logs' },
  simulate: { does: 'simulates many nodes and users' },
  'mixed-versions': { does: 'tests a rolling upgrade from another version' },
  'providers-doc': { does: 'generates docs/providers.md' },
  'dialects-doc': { does: 'generates docs/dialects.md' },
  'settings-doc': { does: 'generates docs/settings.md' },
  site: { does: 'builds the documentation site that the server serves under /docs' },
  'render-chart': { does: 'renders the Helm chart into deploy/kubernetes' },
  screens: { does: 'takes the screenshots in docs/screens' },
  size: { does: 'shows the script size of each page against its budget' },
  'spec-coverage': { does: 'lists which specification checks are covered by tests' },
  'attack-coverage': { does: 'lists which attack cases are covered by tests' },
} as const satisfies Readonly<Record<string, Command>>;
