import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigFile } from './config-file.ts';
import { fileJsonSchema } from './file-schema.ts';
import { SecretSource } from './secret-source.ts';

const docs = join(import.meta.dirname, '../../../../../docs');

test('docs/headgate.schema.json matches the output of npm run schema', () => {
  expect(JSON.parse(readFileSync(join(docs, 'headgate.schema.json'), 'utf8'))).toEqual(fileJsonSchema());
});

test('the example in the documentation is valid', () => {
  const [, text = ''] =
    /```yaml\n([\s\S]*?)```/.exec(readFileSync(join(docs, 'configuration-as-code.md'), 'utf8')) ?? [];
  const secrets = new SecretSource({
    folder: '/',
    dataDir: '/',
    ownVariables: [],
    ownSecrets: [],
    variable: () => undefined,
  });
  const { document } = new ConfigFile('configuration-as-code.md', text, secrets);
  expect(Object.keys(document)).toEqual([
    ...['version', 'options', 'groups', 'models', 'channels', 'users', 'tokens', 'organizations'],
    ...['aliases', 'routing', 'limits', 'budgets', 'plans', 'destinations', 'alerts', 'log_exports'],
  ]);
});
