import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type EnvVariableName, envVariableNames, readConfig } from '../../packages/server/src/config.ts';
import { repositoryRoot } from '../repository.ts';
import { settingsPage } from './settings-page.ts';
import { type VariableDescription, variableGroups } from './variable-descriptions.ts';

const described: readonly (readonly [string, VariableDescription])[] = variableGroups.flatMap(({ variables }) =>
  Object.entries(variables),
);

test('docs/settings.md matches the tables of variables and options; run `npm run settings-doc` otherwise', () => {
  expect(readFileSync(join(repositoryRoot, 'docs/settings.md'), 'utf8')).toBe(settingsPage());
});

test('every variable that is read is described once in scripts/settings/variable-descriptions.ts', () => {
  expect(described.map(([name]) => name).toSorted()).toEqual([...envVariableNames].toSorted());
});

/** With a collector, so that trace settings have an effect. */
const configWith = (given: Partial<Record<EnvVariableName, string>>) =>
  readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', ...given });

test.each(described.flatMap(([name, { usual }]) => (usual === undefined ? [] : [[name, usual] as const])))(
  'setting %s to its default %s changes nothing',
  (name, usual) => {
    expect(configWith({ [name]: usual })).toEqual(configWith({}));
  },
);
