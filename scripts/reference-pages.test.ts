import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ChannelType, channelTypes } from '../packages/contract/src/index.ts';
import { endpointKinds } from '../packages/relay/src/index.ts';
import { repositoryRoot } from './repository.ts';

const pageOf = (name: string): string => readFileSync(join(repositoryRoot, `docs/${name}`), 'utf8');

test('docs/endpoints.md lists every endpoint of the relay', () => {
  const page = pageOf('endpoints.md');
  const paths = Object.values(endpointKinds).map(({ path }) => path);
  expect(paths.filter((path) => !page.includes(`POST ${path}`))).toEqual([]);
});

test('docs/provider-setup.md lists the key format and the extra fields of every channel type', () => {
  const lines = pageOf('provider-setup.md').split('\n');
  const types: readonly ChannelType[] = channelTypes;
  for (const { id, name, fields = [], keyHint } of types) {
    if (fields.length === 0 && keyHint === undefined) continue;
    const row = lines.find((line) => line.startsWith(`| ${id} | [${name}]`));
    expect(row, name).toBeDefined();
    for (const { place } of fields) expect(row, name).toContain(`\`${place}\``);
    if (keyHint !== undefined) expect(row, name).toContain(`\`${keyHint.replaceAll('|', '\\|')}\``);
  }
});
