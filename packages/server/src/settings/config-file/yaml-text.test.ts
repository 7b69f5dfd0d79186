import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigFile } from './config-file.ts';
import { SecretSource } from './secret-source.ts';
import { readYaml } from './yaml-text.ts';

const variables: Readonly<Record<string, string>> = { KEY: 'sk-from-environment', SECRET_KEY: 'opens-everything' };

function sources(folder = '/nowhere', dataDir = '/nowhere/data') {
  return new SecretSource({
    folder,
    dataDir,
    ownVariables: ['SECRET_KEY'],
    ownSecrets: [],
    variable: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
  });
}

const read = (text: string) => new ConfigFile('headgate.yaml', text, sources());

function errorMessageOf(text: string): string {
  try {
    read(text);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it was not refused');
}

test('reads plain data with line numbers', () => {
  const { value, lineOf } = readYaml('a:\n  - x\n  - y: 1\nb: {c: true}\n', 'f');
  expect(value).toEqual({ a: ['x', { y: 1 }], b: { c: true } });
  expect([['a'], ['a', 1, 'y'], ['b', 'c'], ['b', 'missing'], ['nothing']].map((path) => lineOf(path))).toEqual([
    1, 3, 4, 4, 1,
  ]);
});

test('parses an empty file to an empty object', () => {
  expect(read('').document).toEqual({ version: 1 });
  expect(read('# nothing\n').document).toEqual({ version: 1 });
});

describe('[A51.2] hostile YAML is rejected in one sentence with its line', () => {
  test.each([
    ['anchors', 'groups:\n  a: &x 1\n', 'headgate.yaml:2: anchors are not supported.'],
    ['aliases', 'groups:\n  a: *x\n', /^headgate.yaml:2: /],
    ['tags', 'groups:\n  a: !!binary aGk=\n', 'headgate.yaml:2: tags are not supported.'],
    ['tags with code', 'groups: !!js/function "x"\n', /^headgate.yaml:1: /],
    ['duplicate keys', 'groups:\n  a: 1\n  b: 2\n  a: 3\n', 'headgate.yaml:4: "a" is a duplicate.'],
    ['duplicate sections', 'groups: {}\nusers: {}\ngroups: {}\n', 'headgate.yaml:3: "groups" is a duplicate.'],
    ['the key __proto__', 'groups:\n  __proto__:\n    a: 1\n', 'headgate.yaml:2: "__proto__" is not a valid name.'],
    ['several documents', 'groups: {}\n---\nusers: {}\n', /^headgate.yaml:\d: this is not YAML/],
    ['merge keys', 'groups:\n  <<: {a: 1}\n', /^headgate.yaml:2: groups."<<" /],
    ['keys that are lists', '? [a, b]\n: 1\n', /^headgate.yaml:1: /],
    ['a list as the whole file', '- a\n', /^headgate.yaml:1: the file /],
    ['a string as the whole file', 'just words\n', /^headgate.yaml:1: the file /],
    ['an unclosed quote', 'groups:\n  a: "x\n', /^headgate.yaml:\d: this is not YAML/],
    [
      'null characters',
      'channels:\n  a: {type: OpenAI, tag: "a\\0b"}\n',
      'headgate.yaml:2: text must not contain a null character.',
    ],
    ['unknown sections', 'version: 1\nchanels: {}\n', 'headgate.yaml:2: chanels is unknown.'],
    [
      'unknown fields',
      'channels:\n  a:\n    type: OpenAI\n    modles: []\n',
      'headgate.yaml:4: channels.a.modles is unknown.',
    ],
    ['unknown options', 'options:\n  RetryTimez: 1\n', 'headgate.yaml:2: options.RetryTimez is unknown.'],
    ['NaN', 'groups:\n  a: .nan\n', /^headgate.yaml:2: groups.a /],
    ['infinite numbers', 'groups:\n  a: .inf\n', /^headgate.yaml:2: groups.a /],
    ['another version', 'version: 2\n', /^headgate.yaml:1: version /],
    ['deep nesting', `groups: ${'['.repeat(40)}${']'.repeat(40)}`, 'headgate.yaml:1: nested too deeply.'],
  ])('rejects YAML with %s', (_, text, words) => {
    const rejection = errorMessageOf(text);
    if (typeof words === 'string') expect(rejection).toBe(words);
    else expect(rejection).toMatch(words);
    expect(rejection).not.toContain('\n');
  });

  test('rejects extreme nesting', () => {
    const words = 'headgate.yaml:1: this is not YAML (nested too deeply).';
    expect(errorMessageOf(`groups: ${'['.repeat(20_000)}`)).toBe(words);
    expect(errorMessageOf(`groups: ${'{a: '.repeat(20_000)}`)).toBe(words);
  });

  test('checking many keys does not compare every pair', () => {
    const many = Array.from({ length: 40_000 }, (_, index) => `  g${index}: 1`).join('\n');
    expect(Object.keys(read(`groups:\n${many}\n`).document.groups ?? {})).toHaveLength(40_000);
  });
});

describe('secret references', () => {
  const channel = (key: string) => `channels:\n  a:\n    type: OpenAI\n    key: ${key}\n    models: [m]\n`;

  test.each(['sk-in-the-open', '"sk-in-the-open"', '{ value: sk-in-the-open }', '[sk-in-the-open]', '1234'])(
    '[A51.1] a secret reference given as %s is rejected without quoting it',
    (key) => {
      const rejection = errorMessageOf(channel(key));
      expect(rejection).toBe('headgate.yaml:4: channels.a.key must be { env: NAME } or { file: path }.');
    },
  );

  const path = ['channels', 'a', 'key'];
  const secretOf = (file: ConfigFile, reference: { env: string } | { file: string }) => file.secret(path, reference);

  test('secret references read the environment, or files next to the configuration', () => {
    const folder = mkdtempSync(join(tmpdir(), 'headgate-file-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'key'), 'sk-from-file\n');
    const file = new ConfigFile('headgate.yaml', channel('{ env: KEY }'), sources(folder));
    expect(secretOf(file, { env: 'KEY' }).reveal()).toBe('sk-from-environment');
    expect(secretOf(file, { file: 'key' }).reveal()).toBe('sk-from-file');
    expect(secretOf(file, { file: join(folder, 'key') }).reveal()).toBe('sk-from-file');
  });

  test('a secret reference with a missing source is reported with its line', () => {
    const file = read(channel('{ env: NOT_SET }'));
    expect(() => secretOf(file, { env: 'NOT_SET' })).toThrow(
      'headgate.yaml:4: channels.a.key needs the environment variable NOT_SET, which is not set.',
    );
    expect(() => secretOf(file, { file: 'missing' })).toThrow(
      'headgate.yaml:4: channels.a.key cannot be read from "missing" (ENOENT).',
    );
  });

  test('[A51.4] a secret reference to the gateway’s own secrets is rejected under any path', () => {
    const folder = mkdtempSync(join(tmpdir(), 'headgate-file-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'secret.key'), 'opens-everything');
    symlinkSync(join(dataDir, 'secret.key'), join(folder, 'link'));
    const file = new ConfigFile('headgate.yaml', channel('{ env: KEY }'), sources(folder, dataDir));
    for (const reference of [
      { env: 'SECRET_KEY' },
      { file: 'data/secret.key' },
      { file: 'link' },
      { file: '../../../../../../dev/zero' },
      { file: '.' },
    ]) {
      expect(() => secretOf(file, reference), JSON.stringify(reference)).toThrow(
        /^headgate.yaml:4: channels.a.key (cannot|must not) be /,
      );
    }
  });
});
