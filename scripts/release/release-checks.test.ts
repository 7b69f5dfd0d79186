import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../repository.ts';
import { readRelease } from './read-release.ts';
import { changelogFaults, checksumText, lockFaults, treeFaults, versionFaults } from './release-checks.ts';

it('accepts the versions and the lock file of this repository', () => {
  const { version, manifests, locked } = readRelease();
  expect(manifests.length).toBeGreaterThan(9);
  expect(versionFaults(version, manifests)).toEqual([]);
  expect(lockFaults(version, locked)).toEqual([]);
  expect(readFileSync(join(repositoryRoot, 'CHANGELOG.md'), 'utf8')).toContain(`\n## ${version} – `);
});

it('lists manifests with another version', () => {
  const manifests = [
    { path: 'package.json', version: '1.0.0', dependencies: { zod: '4.0.0' } },
    { path: 'packages/a/package.json', version: '0.9.0', dependencies: { '@headgate/b': '0.9.0' } },
  ];
  expect(versionFaults('1.0.0', manifests)).toEqual([
    'packages/a/package.json has version 0.9.0, not 1.0.0.',
    'packages/a/package.json depends on @headgate/b 0.9.0, not 1.0.0.',
  ]);
});

it('lists other versions and download URLs in the lock file', () => {
  const locked = {
    '': { version: '1.0.0' },
    'packages/a': { version: '0.9.0' },
    'node_modules/@headgate/a': { resolved: 'packages/a' },
    'node_modules/zod': { version: '4.0.0', resolved: 'https://example.com/zod.tgz' },
    'node_modules/pg': { version: '8.0.0' },
  };
  expect(lockFaults('1.0.0', locked)).toEqual([
    'package-lock.json has version 0.9.0 of packages/a, not 1.0.0.',
    'package-lock.json has a download URL for node_modules/zod.',
  ]);
});

describe('changelog check', () => {
  const entry = '### Relay\n- Something.\n';

  it.each([
    ['a dated section first', `# Changelog\n\n## 1.1.0 – 2027-01-02\n${entry}\n## 1.0.0 – 2026-11-18\n${entry}`],
    ['a dated section after an empty Unreleased', `# Changelog\n\n## Unreleased\n\n## 1.1.0 – 2027-01-02\n${entry}`],
  ])('accepts a changelog with %s', (_, text) => {
    expect(changelogFaults('1.1.0', text)).toEqual([]);
  });

  const wanted = 'CHANGELOG.md needs "## 1.1.0 – <date>" as its first section after "Unreleased".';
  it.each([
    ['no section', `# Changelog\n\n## Unreleased\n${entry}`, wanted],
    ['a section without a date', `# Changelog\n\n## 1.1.0\n${entry}`, wanted],
    [
      'an older version first',
      `# Changelog\n\n## 1.0.0 – 2026-11-18\n${entry}\n## 1.1.0 – 2027-01-02\n${entry}`,
      wanted,
    ],
    ['an empty section', '# Changelog\n\n## 1.1.0 – 2027-01-02\n', 'The section 1.1.0 of CHANGELOG.md is empty.'],
  ])('rejects a changelog with %s', (_, text, fault) => {
    expect(changelogFaults('1.1.0', text)).toEqual([fault]);
  });
});

it('uncommitted changes are reported', () => {
  expect(treeFaults('')).toEqual([]);
  expect(treeFaults(' M package.json\n')).toEqual(['The working tree has uncommitted changes:\n M package.json']);
});

it('sha256sum accepts the written checksums', () => {
  const sums = [
    { name: 'a.tgz', sha256: '00' },
    { name: 'b.tgz', sha256: '11' },
  ];
  expect(checksumText(sums)).toBe('00  a.tgz\n11  b.tgz\n');
});
