import { describe, expect, test } from 'vitest';
import { convertOverrides, convertProxy } from './channel-overrides.ts';

/** Rules without names, and the losses listed in the report. */
function mapped(row: Readonly<Record<string, string>>) {
  const changes: string[] = [];
  const text = convertOverrides(row, changes);
  const rules: { when: { models: unknown[]; fields: unknown[] }; then: object[] }[] =
    text === '' ? [] : JSON.parse(text);
  return {
    rules: rules.map(({ when, then: actions }) => ({ models: when.models, fields: when.fields, actions })),
    changes,
  };
}
const override = (value: unknown) => mapped({ param_override: JSON.stringify(value) });
const always = { models: [], fields: [] };

describe('parameter overrides', () => {
  test('a plain object becomes actions, and fields that rules cannot change are reported', () => {
    expect(override({ temperature: 0, metadata: { a: 1 }, model: 'x', 'a.b': 1, max_tokens: 'x' })).toEqual({
      rules: [
        {
          ...always,
          actions: [
            { do: 'set', path: 'temperature', value: 0 },
            { do: 'set', path: 'metadata', value: { a: 1 } },
          ],
        },
      ],
      changes: [
        'loses the parameter override of "model": Rules cannot change this field',
        'loses the parameter override of "a.b", which is not supported here',
        'loses the parameter override of "max_tokens": An output limit must be a positive whole number',
      ],
    });
  });

  test('operations become actions in the same order, before plain fields', () => {
    const operations = [
      { path: 'temperature', mode: 'set', value: 1, keep_origin: true },
      { path: 'user', mode: 'delete' },
      { mode: 'move', from: 'seed', to: 'random_seed' },
      { path: 'X-Team', mode: 'set_header', value: 'search' },
      { path: 'anthropic-beta', mode: 'delete_header' },
      { mode: 'pass_headers', value: ['X-Trace', 'X-Run'] },
      { mode: 'return_error', value: { message: 'Not here', status_code: 403 } },
    ];
    expect(override({ operations, top_p: 1 })).toEqual({
      rules: [
        {
          ...always,
          actions: [
            { do: 'default', path: 'temperature', value: 1 },
            { do: 'remove', path: 'user' },
            { do: 'rename', path: 'seed', to: 'random_seed' },
            { do: 'set_header', header: 'x-team', value: 'search' },
            { do: 'remove_header', header: 'anthropic-beta' },
            { do: 'pass_header', header: 'x-trace' },
            { do: 'pass_header', header: 'x-run' },
            { do: 'reject', message: 'Not here' },
            { do: 'set', path: 'top_p', value: 1 },
          ],
        },
      ],
      changes: [],
    });
  });

  test('conditions are alternatives unless the logic is AND', () => {
    const conditions = [
      { path: 'original_model', mode: 'prefix', value: 'gpt-5' },
      { path: 'user', mode: 'contains', value: 'team' },
    ];
    const operation = { path: 'top_p', mode: 'delete', conditions };
    const actions = [{ do: 'remove', path: 'top_p' }];
    const field = { is: 'matches', path: 'user', pattern: '*team*' };
    expect(override({ operations: [operation] }).rules).toEqual([
      { models: ['gpt-5*'], fields: [], actions },
      { models: [], fields: [field], actions },
    ]);
    expect(override({ operations: [{ ...operation, logic: 'AND' }] }).rules).toEqual([
      { models: ['gpt-5*'], fields: [field], actions },
    ]);
    const full = { path: 'upstream_model', mode: 'full', value: 'm' };
    expect(override({ operations: [{ ...operation, conditions: [full] }] }).rules[0]?.fields).toEqual([
      { is: 'equals', path: 'model', value: 'm' },
    ]);
  });

  test.each([
    ...['append', 'prepend', 'replace', 'regex_replace', 'trim_prefix', 'prune_objects', 'sync_fields', 'copy', ''].map(
      (mode) => ({ mode, path: 'a', value: 'x' }),
    ),
    { mode: 'set', path: 'messages.-1.content', value: 'x' },
    { mode: 'set', path: 'model', value: 'x' },
    { mode: 'set', path: 'stream', value: true },
    { mode: 'set_header', path: 'Host', value: 'x' },
    { mode: 'pass_headers', value: 'cookie' },
    ...[
      { mode: 'gt', value: 1 },
      { mode: 'full', value: 1, invert: true },
      { mode: 'prefix', value: 'a*' },
    ].map((condition) => ({
      ...{ mode: 'delete', path: 'a' },
      conditions: [{ path: 'b', ...condition }],
    })),
    { mode: 'delete', path: 'a', conditions: { b: 1 } },
    { mode: 'delete', path: 'a', conditions: [{ path: 'last_error.code', mode: 'full', value: 'x' }] },
    'odd',
  ])('%j is reported', (operation) => {
    const { rules, changes } = override({ operations: [operation] });
    expect(rules).toEqual([]);
    expect(changes).toEqual([expect.stringMatching(/^loses operation 1 \(/)]);
  });

  test.each(['[1]', 'x', '"a"'])('%s is reported', (text) => {
    expect(mapped({ param_override: text })).toEqual({
      rules: [],
      changes: ['loses its parameter override, which is not a JSON object'],
    });
  });

  test('long overrides are split into several rules, and rules above the limit are reported', () => {
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at]));
    expect(override(fields(25)).rules.map(({ actions }) => actions.length)).toEqual([10, 10, 5]);
    expect(override(fields(101))).toMatchObject({
      rules: [],
      changes: [expect.stringMatching(/^loses its overrides: /)],
    });
  });
});

test('header overrides become actions that set or pass on the header', () => {
  const header_override = JSON.stringify({
    'X-Key': 'Key {api_key}',
    'X-Trace': '{client_header:X-Trace}',
    'X-Other': '{client_header:X-Trace}',
    Authorization: 'Bearer literal',
    'X-Level': 3,
  });
  expect(mapped({ header_override })).toEqual({
    rules: [
      {
        ...always,
        actions: [
          { do: 'set_header', header: 'x-key', value: 'Key {api_key}' },
          { do: 'pass_header', header: 'x-trace' },
          { do: 'set_header', header: 'x-level', value: '3' },
        ],
      },
    ],
    changes: [
      'loses the header override of "X-Other", which is not supported here',
      'loses the header override of "Authorization": The value of this header must contain {api_key}',
    ],
  });
});

test('status mappings determine retries', () => {
  expect(mapped({ status_code_mapping: '{"429":"400","400":500,"200":"500","x":"500","404":"y"}' })).toEqual({
    rules: [
      {
        ...always,
        actions: [
          { do: 'status', status: 400, retryable: true },
          { do: 'status', status: 429, retryable: false },
        ],
      },
    ],
    changes: [
      'loses the mapping of status "200": Enter a status from 400 to 599',
      'loses the mapping of status "404", which is not a status',
      expect.stringMatching(/^loses the mapping of status "x": /),
      'uses its status code mapping for retries only; clients get the original status',
    ],
  });
});

test('a proxy becomes the outbound proxy, with its password as a secret setting', () => {
  const changes: string[] = [];
  const proxy = (url: string) => convertProxy({ setting: JSON.stringify({ proxy: url }) }, changes);
  expect(proxy('socks5://user:pass@10.0.0.1:1080')).toEqual({
    proxy: 'socks5://user@10.0.0.1:1080',
    proxy_password: 'pass',
  });
  expect(proxy('')).toEqual({});
  expect(changes).toEqual([]);
  expect(proxy('ftp://user:pass@host')).toEqual({});
  expect(changes).toEqual(['loses its proxy, whose URL is not supported here']);
});
