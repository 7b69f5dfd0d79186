import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { processVariable } from '../../config.ts';
import { ConfigFile } from './config-file.ts';
import { planLines } from './plan-lines.ts';
import { SecretSource } from './secret-source.ts';

function inFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'data'));
  return folder;
}

function source(folder: string, variable: (name: string) => string | undefined = () => undefined) {
  const ownSecrets = ['the key of the gateway itself', 'postgres://u:p@host/db'];
  return new SecretSource({
    folder,
    dataDir: join(folder, 'data'),
    ownVariables: ['SECRET_KEY'],
    variable,
    ownSecrets,
  });
}

const read = (text: string, folder = '/nowhere') => new ConfigFile('headgate.yaml', text, source(folder));

function errorMessageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it was not refused');
}

describe('[A55.1] invalid YAML is rejected without quoting its content', () => {
  const secret = 'sk-in-the-open';
  test.each([
    ['text after a quoted string', `channels:\n  a:\n    key: "x" ${secret}\n`],
    ['an incomplete map', `channels:\n  a:\n    key: {\n${secret}\n`],
    ['a list in a map', `channels:\n  a: 1\n  - ${secret}\n`],
    ['an unknown escape', `channels: "\\q${secret}"\n`],
    ['a directive', `%YAML ${secret}\n---\na: 1\n`],
    ['another directive', `%${secret} x\n---\na: 1\n`],
    ['an alias', `channels: *${secret}\n`],
    ['a tag', `channels: !${secret} x\n`],
    ['wrong indentation', `channels:\n    a: 1\n  ${secret}: 2\n`],
    ['a tab', `channels:\n\t${secret}: 2\n`],
    ['an extra colon', `channels: a: ${secret}\n`],
    ['a reserved character', `channels: @${secret}\n`],
    ['an invalid block scalar', `channels: |x${secret}\n`],
    ['a second document', `channels: {}\n---\n${secret}\n`],
    ['an extra bracket', `channels: {}}${secret}\n`],
    ['an unclosed bracket', `channels: [${secret}\n`],
  ])('rejects YAML with %s', (_, text) => {
    const rejection = errorMessageOf(() => read(text));
    expect(rejection).toMatch(/^headgate.yaml:\d+: /);
    expect(rejection).not.toContain(secret);
    expect(rejection).not.toContain('\n');
  });
});

describe('[A55.2] output lines contain no hidden text and no terminal control sequences', () => {
  const odd = '\u009b2J\u202ea\u200b\u2028\u007f';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there.
  const unseen = /[\u0000-\u001f\u007f-\u009f\u200b\u202e\u2028]/;

  test('plans escape names, values and fields', () => {
    const wanted = { name: odd, fields: { tag: odd, [`config.${odd}`]: 'x' }, input: undefined };
    const fields = Object.entries(wanted.fields).map(([field, after]) => ({ field, before: undefined, after }));
    const named = { kind: 'channel', name: odd } as const;
    const lines = planLines([
      { ...named, action: 'create', wanted, found: undefined, fields, isTakenOver: false },
      { ...named, action: 'release', found: { id: 1, name: odd, fields: {} } },
    ]);
    expect(lines).toHaveLength(5);
    expect(lines.join('')).not.toMatch(unseen);
    expect(lines.join('')).toContain('\\u{202e}');
  });

  test.each([
    ['an object name', `groups:\n  "${JSON.stringify(odd).slice(1, -1)}": many\n`],
    ['an unknown key', `"${JSON.stringify(odd).slice(1, -1)}": 1\n`],
    ['a duplicate key', `groups: {"${odd}x": 1, "${odd}x": 2}\n`],
    ['the path of a secret file', `channels: {a: {type: OpenAI, models: [m], key: {file: "${odd}"}}}\n`],
  ])('errors escape %s', (_, text) => {
    const rejection = errorMessageOf(() => read(text).secret(['channels', 'a', 'key'], { file: odd }));
    expect(rejection).not.toMatch(unseen);
  });
});

describe('[A55.3] text that a database cannot store unchanged is rejected', () => {
  test.each(['groups: {"a\\ud800": 1}', 'channels: {a: {type: OpenAI, models: [m], tag: "\\udc00"}}'])(
    'rejects unstorable text: %s',
    (text) => {
      expect(errorMessageOf(() => read(text))).toBe('headgate.yaml:1: text must not contain half a surrogate pair.');
    },
  );
});

describe('[A55.4] the gateway’s own secrets in a configuration file', () => {
  const path = ['channels', 'a', 'key'];
  const text = 'channels: {a: {type: OpenAI, models: [m]}}';

  test.each([
    ['a copy of the secret key', 'the key of the gateway itself\n'],
    ['a settings file', 'PORT=1\nSECRET_KEY="the key of the gateway itself"\n'],
    ['the database URL', 'DATABASE_URL=postgres://u:p@host/db'],
  ])('rejects %s in another file', (_, contents) => {
    const folder = inFolder();
    writeFileSync(join(folder, 'copy'), contents);
    expect(errorMessageOf(() => read(text, folder).secret(path, { file: 'copy' }))).toBe(
      'headgate.yaml:1: channels.a.key must not be a secret of Headgate itself.',
    );
  });

  test('rejects the gateway’s secret in another variable', () => {
    const secrets = source('/nowhere', () => 'the key of the gateway itself');
    const file = new ConfigFile('headgate.yaml', text, secrets);
    expect(() => file.secret(path, { env: 'COPY' })).toThrow('must not be a secret of Headgate itself');
  });

  test('inherited object properties are not treated as variables', () => {
    for (const env of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const file = new ConfigFile('headgate.yaml', text, source('/nowhere', processVariable));
      expect(() => file.secret(path, { env })).toThrow(`needs the environment variable ${env}, which is not set.`);
    }
  });

  test('rejects a file that is not readable text', () => {
    const folder = inFolder();
    writeFileSync(join(folder, 'bytes'), Buffer.from([0x73, 0x6b, 0xff, 0xfe]));
    writeFileSync(join(folder, 'empty'), ' \n\r\n');
    writeFileSync(join(folder, 'large'), 'x'.repeat(200_001));
    mkdirSync(join(folder, 'folder'));
    const file = read(text, folder);
    const words = (name: string) => errorMessageOf(() => file.secret(path, { file: name }));
    expect(words('bytes')).toContain('(it is not UTF-8)');
    expect(words('empty')).toContain('(it is empty)');
    expect(words('large')).toContain('is longer than 200000 characters');
    expect(words('folder')).toContain('(it is not a file)');
  });
});

test('[A55.5] checking the largest allowed file does not compare every pair of names', () => {
  const many = Array.from({ length: 60_000 }, (_, index) => `"g${index}": 1`).join(',');
  expect(Object.keys(read(`groups: {${many}}`).document.groups ?? {})).toHaveLength(60_000);
});

describe('[A55.15] variables cannot multiply a file', () => {
  const value = 'x'.repeat(400_000);
  const references = '$' + '{a}';
  const fileWith = (used: string) => `variables: { a: ${value} }\n${used}\n`;

  test.each([
    ['in one value', `options: { Notice: "${`${references}-`.repeat(2000)}" }`],
    [
      'in many values',
      `channels:\n${Array.from({ length: 200 }, (_, n) => `  c${n}: { key: "-${references}" }`).join('\n')}`,
    ],
  ])('%s', (_, used) => {
    expect(errorMessageOf(() => read(fileWith(used)))).toMatch(
      /^headgate\.yaml:\d+: (options\.Notice|channels\.c\d+\.key) makes the file longer than 10,000,000 characters with its variables\.$/,
    );
  });
});
