import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from './repository.ts';

const table = 'packages/contract/src/catalog/channel-types.ts';
const copied = [
  ...['contract', 'dialects', 'providers'].map((name) => `packages/${name}`),
  'packages/server/src/catalog/models/known-models.ts',
  'packages/console/src/ui/provider-mark/provider-letters.ts',
  'scripts/providers-table.ts',
];

/** Copies the channel type catalog and the files derived from it. */
function copyCatalogue(): string {
  const root = mkdtempSync(join(tmpdir(), 'headgate-catalogue-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const path of copied) cpSync(join(repositoryRoot, path), join(root, path), { recursive: true });
  mkdirSync(join(root, 'node_modules/@headgate'), { recursive: true });
  symlinkSync(join(repositoryRoot, 'node_modules/zod'), join(root, 'node_modules/zod'));
  for (const name of ['contract', 'dialects', 'providers'])
    symlinkSync(join(root, 'packages', name), join(root, 'node_modules/@headgate', name));
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  return root;
}

const derived = `
const { channelType, channelTypeOptions, isChannelTypeId } = await import('@headgate/contract');
const { providers } = await import('@headgate/providers');
const { knownModels, modelsByType } = await import('./packages/server/src/catalog/models/known-models.ts');
const { providerLetters } = await import('./packages/console/src/ui/provider-mark/provider-letters.ts');
const { providersPage } = await import('./scripts/providers-table.ts');
const id = channelTypeOptions.find(({ text }) => text === 'Planted').value;
console.log(JSON.stringify({
  isKnown: isChannelTypeId(id),
  label: channelType(id).name,
  choices: channelTypeOptions.length,
  baseUrl: providers[id].baseUrl,
  sentTo: providers[id].modelList.request({ baseUrl: 'https://planted.test', key: 'k', config: {} }).url,
  models: modelsByType[id],
  owner: knownModels.find((model) => model.id === 'planted-1')?.owned_by,
  letters: providerLetters(id),
  page: providersPage().split('\\n').find((line) => line.includes('Planted')),
}));`;

test('an OpenAI-compatible provider is added with one row in the channel type table', () => {
  const root = copyCatalogue();
  const text = readFileSync(join(root, table), 'utf8');
  const count = [...text.matchAll(/^ +(?:\{ )?id: \d+,/gm)].length;
  const row = `{ id: ${count + 1}, name: 'Planted', color: 'blue', openaiCompatible: { baseUrl: 'https://planted.test', models: ['planted-1'] } },`;
  writeFileSync(join(root, table), text.replace(/(export const channelTypes = \[\n)/, `$1  ${row}\n`));
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', derived], { cwd: root });
  expect(JSON.parse(String(output))).toEqual({
    isKnown: true,
    label: 'Planted',
    choices: count + 1,
    baseUrl: 'https://planted.test',
    sentTo: 'https://planted.test/v1/models',
    models: ['planted-1'],
    owner: 'Planted',
    letters: 'Pl',
    page: expect.stringMatching(new RegExp(`^\\| ${count + 1} \\| Planted \\| ●`)),
  });
});

test('the recipe for an OpenAI-compatible provider lists only the table and built-in prices', () => {
  const recipes = readFileSync(join(repositoryRoot, 'docs/recipes.md'), 'utf8');
  const recipe = recipes.split('\n**').find((section) => section.startsWith('OpenAI-compatible provider**')) ?? '';
  expect([...recipe.matchAll(/`([^`]+\.ts)`/g)].map(([, file]) => file)).toEqual([table]);
  expect(recipe).toContain('built-in prices of its models');
});
