import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { SourceContents, SourceRow } from '../source/source.ts';
import { fromLitellm } from './from-litellm.ts';
import { toBudgets, toLimits } from './litellm-budgets.ts';
import { type Environment, toChannels } from './litellm-channels.ts';
import { collectAccessGroups, collectDeployments } from './litellm-deployments.ts';
import { detectProvider } from './litellm-providers.ts';
import { decryptWith } from './litellm-secrets.ts';
import { intersectModels, readModels, readTeams } from './litellm-teams.ts';
import { readList, readSeconds } from './litellm-values.ts';

const owner = { owner: { kind: 'user', sourceId: 1 }, sourceId: 'user:1', label: 'of user "a"' } as const;
const nothingStored = { models: [], credentials: [], decrypt: decryptWith([]) };
const toPoints = (dollars: number) => Math.round(dollars * 500_000);

describe('budgets', () => {
  test.each([
    ['1d', 'day', 10, []],
    ['24h', 'day', 10, []],
    ['7d', 'week', 10, []],
    ['30d', 'month', 10, []],
    ['1mo', 'month', 10, []],
    ['1h', 'day', 10, ['of 1h becomes 10 dollars per day']],
    ['14d', 'month', 10, ['of 14d becomes 10 dollars per month']],
    ['90d', 'month', 10 / 3, ['of 90d becomes 3.33 dollars per month']],
  ])('with the period %s never allow more than the original budget', (budget_duration, period, dollars, changes) => {
    const row = { max_budget: 10, budget_duration };
    expect(toBudgets(row, owner, toPoints)).toMatchObject([{ period, amount: toPoints(dollars), changes }]);
  });

  test.each([
    { max_budget: 10, budget_duration: null },
    { max_budget: null, budget_duration: '1d' },
    { max_budget: 'NaN', budget_duration: '1d' },
    { max_budget: 10, budget_duration: 'soon' },
  ])('are not imported if they never reset: %j', (row) => {
    expect(toBudgets(row, owner, toPoints)).toEqual([]);
  });

  test('still block almost everything if the amount is 0', () => {
    expect(toBudgets({ max_budget: 0, budget_duration: '1d' }, owner, toPoints)).toMatchObject([{ amount: 1 }]);
    expect(toLimits({ rpm_limit: 0 }, owner)).toMatchObject([{ measure: 'requests_per_minute', amount: 1 }]);
  });
});

test.each([
  ['{}', []],
  ['{a,b-1}', ['a', 'b-1']],
  ['{"a,b","say \\"hi\\"",NULL,"NULL"}', ['a,b', 'say "hi"', 'NULL']],
  ['', []],
  ['not an array', []],
])('reads the PostgreSQL array %s', (text, expected) => {
  expect(readList({ models: text }, 'models')).toEqual(expected);
});

test.each([
  ['2027-01-02 03:04:05', 1_798_859_045],
  ['2027-01-02 03:04:05.678', 1_798_859_045],
  ['2027-01-02 04:04:05+01', 1_798_859_045],
  ['', undefined],
  ['never', undefined],
])('reads the time %s', (text, seconds) => {
  expect(readSeconds({ expires: text }, 'expires')).toBe(seconds);
});

describe('model lists', () => {
  const groups = new Map([['writers', ['claude', 'gpt-4o']]]);
  test.each([
    ['{}', undefined],
    ['{all-proxy-models}', undefined],
    ['{all-team-models}', undefined],
    ['{no-default-models}', []],
    ['{writers,o1}', ['claude', 'gpt-4o', 'o1']],
  ])('%s', (models, expected) => {
    expect(readModels({ models }, groups)).toEqual(expected);
  });

  test.each([
    [['a', 'b'], ['b', 'c'], ['b']],
    [['openai/*'], ['openai/x', 'other'], ['openai/x']],
    [['a*c'], ['abc', 'ab'], ['abc']],
    [['*aa'], ['a'], []],
    [undefined, ['a'], ['a']],
    [undefined, undefined, undefined],
  ])('%j and %j allow %j', (one, other, both) => {
    expect(intersectModels(one, other)).toEqual(both);
    expect(intersectModels(other, one)).toEqual(both);
  });
});

test.each([
  ['azure/my-deployment', '', 'azure', 'my-deployment'],
  ['openrouter/meta/llama', '', 'openrouter', 'meta/llama'],
  ['gpt-4o', '', 'openai', 'gpt-4o'],
  ['claude-sonnet-4-5', '', 'anthropic', 'claude-sonnet-4-5'],
  ['meta/llama', 'groq', 'groq', 'meta/llama'],
  ['groq/llama', 'groq', 'groq', 'llama'],
  ['my-model', '', '', 'my-model'],
])('finds the provider of %s', (model, given, provider, name) => {
  expect(detectProvider(model, given)).toEqual({ provider, name });
});

describe('channels', () => {
  const channelOf = (parameters: object, environment: Environment = () => undefined) =>
    toChannels(
      collectDeployments({ model_list: [{ model_name: 'm', litellm_params: parameters }] }, nothingStored),
      'default',
      environment,
    ).rows[0];

  test.each([
    [{ model: 'constructor/x', api_key: 'k' }, 'has provider constructor, which is not supported here'],
    [{ model: 'bedrock/x' }, 'has provider bedrock, which is not supported here'],
    [
      { model: 'azure/x', api_key: 'k', api_base: 'os.environ/BASE' },
      'needs BASE, which is not in the environment of this command',
    ],
  ])('are reported with a reason if they cannot be imported: %j', (parameters, fault) => {
    expect(channelOf(parameters)).toMatchObject({ fault });
  });

  test('read keys only from environment variables that the configuration names', () => {
    expect(channelOf({ model: 'openai/x', api_key: 'os.environ/__proto__' })).toMatchObject({ status: 2 });
    expect(channelOf({ model: 'mistral/x' }, (name) => (name === 'MISTRAL_API_KEY' ? 'k' : undefined))).toMatchObject({
      type: 28,
      key: 'k',
      status: 1,
    });
    expect(channelOf({ model: 'ollama/x', api_base: 'http://localhost:11434' })).toMatchObject({ type: 30, status: 1 });
  });

  test.each([[null], [{}], [{ model_list: 'x' }], [{ model_list: [1, null] }]])(
    'in the malformed file %j are ignored',
    (config) => {
      expect(toChannels(collectDeployments(config, nothingStored), 'default', () => undefined).rows).toEqual([]);
    },
  );

  test('are created per deployment, even for the same model and account', () => {
    const entry = (model: string) => ({ model_name: 'm', litellm_params: { model, api_key: 'k' } });
    const { rows } = toChannels(
      collectDeployments({ model_list: [entry('openai/a'), entry('openai/b')] }, nothingStored),
      'default',
      () => undefined,
    );
    expect(rows).toMatchObject([{ models: 'm' }, { models: 'm' }]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2);
  });
});

describe('[A60.13] lists of a hostile database take linear time', () => {
  const names = (count: number, suffix = '') => Array.from({ length: count }, (_, n) => `m${n}${suffix}`);

  test('two long lists of models are compared by name, and too many patterns allow nothing', () => {
    expect(intersectModels(names(20_000), names(20_000))).toHaveLength(20_000);
    expect(intersectModels(names(20_000), names(20_000, '*'))).toEqual([]);
  });

  test('a group that is named repeatedly is expanded once, and an overlong list is truncated', () => {
    const groups = new Map([['g', names(40_000)]]);
    expect(readModels({ models: `{${Array(400_000).fill('g').join(',')}}` }, groups)).toHaveLength(40_000);
    expect(readModels({ models: `{${names(130_000).join(',')}}` }, groups)).toHaveLength(50_001);
  });

  test('creates one channel and one access group entry per deployment of a model', () => {
    const entry = { model_name: 'm', litellm_params: { model: 'openai/a', api_key: 'k' }, model_info: info };
    const deployments = collectDeployments({ model_list: Array(5000).fill(entry) }, nothingStored);
    expect(new Set(toChannels(deployments, 'default', () => undefined).rows.map(({ id }) => id)).size).toBe(5000);
    expect(collectAccessGroups(deployments).get('g')).toHaveLength(5000);
  });
});

const info = { access_groups: ['g', 'g'] };

test('three teams with the same name and the same id suffix become different groups', () => {
  const rows = ['a', 'b', 'c', 'd'].map((part) => ({ team_id: `${part}-00000001`, team_alias: 'core' }));
  expect([...readTeams(rows, 'litellm', new Map()).values()].map(({ group }) => group)).toEqual([
    'litellm-core',
    'litellm-core-00000001',
    'litellm-core-00000001-2',
    'litellm-core-00000001-3',
  ]);
});

test('teams with the same name become different groups', () => {
  const teams = readTeams(
    [
      { team_id: 'id-1', team_alias: 'a,b' },
      { team_id: 'id-2', team_alias: 'a b' },
    ],
    'second',
    new Map(),
  );
  expect([...teams.values()].map(({ group }) => group)).toEqual(['second-a b', 'second-a b-id-2']);
});

test("if the teams exceed a channel's group list, those without budgets are the first to share the default group", () => {
  const rows = Array.from({ length: 300 }, (_, index) => ({
    team_id: `id-${String(index).padStart(3, '0')}`,
    team_alias: `team ${index}`,
    ...(index === 299 && { max_budget: 5 }),
  }));
  const teams = [...readTeams(rows, 'litellm', new Map()).values()];
  const groups = new Set(teams.map(({ group }) => group));
  expect(teams.at(-1)?.group).toBe('litellm-team 299');
  expect(teams.filter(({ group }) => group === 'default').length).toBeGreaterThan(100);
  expect([...groups].join(',').length).toBeLessThanOrEqual(2000);
});

test('the total budget of a team is its remaining amount', () => {
  const team = { owner: { kind: 'group', group: 'g' }, sourceId: 'team:1', label: 'of team "g"' } as const;
  expect(toBudgets({ max_budget: 10, spend: 4 }, team, toPoints)).toMatchObject([{ period: 'all', amount: 3_000_000 }]);
  expect(toBudgets({ max_budget: 10, spend: 40 }, team, toPoints)).toMatchObject([{ period: 'all', amount: 1 }]);
});

describe('rows of a whole database', () => {
  const table = (rows: readonly object[] = []) => rows as readonly SourceRow[];
  const convert = (tables: { users?: readonly object[]; keys?: readonly object[] }) =>
    fromLitellm(
      {
        LiteLLM_UserTable: table(tables.users),
        LiteLLM_VerificationToken: table(tables.keys),
        LiteLLM_TeamTable: [],
        LiteLLM_TeamMembership: [],
        LiteLLM_OrganizationTable: [],
        LiteLLM_OrganizationMembership: [],
        LiteLLM_BudgetTable: [],
        LiteLLM_ProxyModelTable: [],
        LiteLLM_CredentialsTable: [],
      } as unknown as SourceContents['tables'],
      { name: 'old', config: undefined, environment: () => undefined, secrets: [], quotaPerUnit: 500_000 },
    );

  test('[A60.8] never contain a key that an old version of LiteLLM stored in plain text', () => {
    const key = 'sk-plain-key-of-an-old-version';
    const limits = { max_budget: 5, budget_duration: '1d', rpm_limit: 3 };
    const converted = convert({ keys: [{ token: key, ...limits }] });
    expect(JSON.stringify(converted)).not.toContain(key.slice(0, 8));
    const hash = createHash('sha256').update(key).digest('hex');
    expect(converted.tables.tokens).toMatchObject([{ key_hash: hash }]);
    expect([converted.budgets[0]?.sourceId, converted.limits[0]?.sourceId]).toEqual([
      expect.stringContaining(`token:${hash}`),
      expect.stringContaining(`token:${hash}`),
    ]);
    // The same row after LiteLLM has replaced the key by its hash.
    expect(convert({ keys: [{ token: hash, ...limits }] })).toEqual(converted);
  });

  test('[A60.9] are rejected if two users have ids with the same hash', () => {
    const users = (...ids: readonly string[]) => ids.map((user_id) => ({ user_id }));
    expect(() => convert({ users: users('u-1', 'u-2') })).not.toThrow();
    expect(() => convert({ users: users('u-19331211', 'u-30296101') })).toThrow(/^Two users of LiteLLM/);
  });
});
