import { expect, onTestFinished, test } from 'vitest';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { fileSchema } from './file-schema.ts';

const before = { type: 'OpenAI', key: { env: 'ONE' }, models: ['gpt-4o'] };

const rules = JSON.stringify([
  {
    name: 'a',
    when: { models: ['m*'], dialects: [], endpoints: [], fields: [] },
    // biome-ignore lint/suspicious/noThenProperty: the format of a rule.
    then: [{ do: 'remove', path: 'user' }],
  },
]);

/** A different value for each field, and the expected plan line. */
const changes: Readonly<Record<string, readonly [value: unknown, ...lines: string[]]>> = {
  type: ['Groq', 'type: "OpenAI" → "Groq"'],
  key: [{ env: 'TWO' }, 'key: changed'],
  keys: [
    [
      { env: 'ONE', cost_percent: 50 },
      { env: 'TWO', weight: 3 },
    ],
    'key: changed',
    'keys: changed',
    'key_weights: "" → "1,3"',
    'key_costs: "" → "50,100"',
  ],
  models: [['gpt-4o', 'm'], 'models: "gpt-4o" → "gpt-4o,m"'],
  groups: [['vip'], 'groups: "default" → "vip"'],
  enabled: [false, 'enabled: true → false'],
  base_url: ['https://one.example.com', 'base_url: "" → "https://one.example.com"'],
  other: ['v2', 'other: "" → "v2"'],
  model_mapping: [{ m: 'n' }, 'model_mapping: "" → "{\\"m\\":\\"n\\"}"'],
  system_prompt: ['Be brief.', 'system_prompt: "" → "Be brief."'],
  purchase: [{ multiplier: 0.5 }, 'purchase: "" → "{\\"multiplier\\":0.5,\\"models\\":{}}"'],
  rules: [JSON.parse(rules), `rules: "" → ${JSON.stringify(`${rules.slice(0, 100)}…`)}`],
  config: [{ idle_seconds: '40' }, 'config.idle_seconds: (none) → "40"'],
  priority: [7, 'priority: 0 → 7'],
  weight: [3, 'weight: 0 → 3'],
  tag: ['eu', 'tag: "" → "eu"'],
  key_strategy: ['least_used', 'key_strategy: "round_robin" → "least_used"'],
};

/** One channel per field, with the original or the changed value. */
const channels = (isChanged: boolean) =>
  Object.fromEntries(
    Object.entries(changes).map(([field, [value]]) => {
      const { key: _, ...withoutKey } = before;
      const unchanged = isChanged && field === 'keys' ? withoutKey : before;
      return [field, { ...unchanged, ...(isChanged && { [field]: value }) }];
    }),
  );

test('a change of any channel field is planned and applied', async () => {
  const database = await createMigratedDatabase();
  onTestFinished(() => database.drop());
  const scene = new ConfigFileFixture(database);
  onTestFinished(() => scene[Symbol.dispose]());
  Object.assign(scene.variables, { ONE: 'sk-one', TWO: 'sk-two' });
  const fields = Object.keys(fileSchema.shape.channels.unwrap().valueType.shape);
  // A rename changes no field.
  expect(Object.keys(changes)).toEqual(fields.filter((name) => name !== 'previous_name'));
  scene.write({ channels: channels(false) });
  await scene.apply();
  scene.write({ channels: channels(true) });
  const { lines } = await scene.plan();
  const expected = Object.entries(changes).flatMap(([field, [, ...changed]]) => [
    `~ channel "${field}"`,
    ...changed.map((line) => `    ${line}`),
  ]);
  expect(lines.slice(0, -1)).toEqual(expected);
  await scene.apply();
  expect(await scene.plan()).toEqual({ lines: ['No changes. The gateway matches the file.'], differs: false });
});
