import type { Command } from './product-commands.ts';

/** Developer commands of a checkout. Each parses its own arguments. */
export const developerCommands = {
  dev: { does: 'server and console with reload' },
  build: { does: 'builds the console and the server' },
  pack: { does: 'makes the package that others install' },
  release: { does: 'checks, builds and tags a release; --dry-run only checks and builds' },
  check: { does: 'the fast part of the tests: types, lint, imports, dead code' },
  test: { does: 'runs everything' },
  'test-changed': { does: 'tests of what changed since a commit' },
  e2e: { does: 'the browser tests' },
  bench: { does: 'the relay beside a bare pipe' },
  'bench-api': { does: 'speed of lists, sums and cleanup over a million log rows' },
  'bench-import': { does: 'how fast a million logs of another gateway come' },
  simulate: { does: 'many nodes and users on a simulated clock and network' },
  'mixed-versions': { does: 'an upgrade without a pause, with another version beside this one' },
  'providers-doc': { does: 'writes docs/providers.md from the adaptors' },
  'dialects-doc': { does: 'writes docs/dialects.md from the dialects and the adaptors' },
  'settings-doc': { does: 'writes docs/settings.md from the tables of variables and options' },
  screens: { does: 'pictures of every page into docs/screens' },
  size: { does: 'script that each page fetches on first load, against its budget' },
  'spec-coverage': { does: 'which checks of the specification are proven by tests' },
  'attack-coverage': { does: 'which attacks are proven to be withstood' },
} as const satisfies Readonly<Record<string, Command>>;
