import { chatResponse, done, reply, stop, stream, textChunk, type UpstreamHandler } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { useRelayFixtures } from '../testing/relay-fixture.ts';

const createFixture = useRelayFixtures();

const sentence = 'The quick brown fox jumps over the lazy dog.';
/** Local token counts of the prompt "hi" and of the sentence. */
const own = { prompt_tokens: 8, completion_tokens: 10 };
const long = `${sentence} `.repeat(200);
const ownLongCount = 200 * 10 + 1;

type UsageFields = Readonly<Record<string, unknown>>;

/** Response types: a stream, a whole response, and one long enough to be searched instead of parsed. */
const responseTypes: readonly [
  name: string,
  answer: (usage: UsageFields) => UpstreamHandler,
  isStream: boolean,
  isLong: boolean,
][] = [
  ['a stream', (usage) => stream([textChunk(sentence), stop, usageEventOf(usage), done]), true, false],
  ['a whole response', (usage) => reply({ ...chatResponse({ content: sentence }), usage }), false, false],
  ['a long response', (usage) => reply({ ...chatResponse({ content: long }), usage }), false, true],
];
const usageEventOf = (usage: UsageFields) => `data: ${JSON.stringify({ choices: [], usage })}\n\n`;

/** Reported usage and the part of it that is accepted. */
const cases: readonly [name: string, usage: UsageFields, taken: UsageFields, odd: string | undefined][] = [
  ['a negative completion', { prompt_tokens: 9, completion_tokens: -5 }, { prompt_tokens: 9 }, 'completion_tokens -5'],
  ['a textual completion', { prompt_tokens: 9, completion_tokens: '5' }, { prompt_tokens: 9 }, 'completion_tokens "5"'],
  ['no completion', { prompt_tokens: 9 }, { prompt_tokens: 9 }, undefined],
  [
    'no completion but a total',
    { prompt_tokens: 9, total_tokens: 16 },
    { prompt_tokens: 9, completion_tokens: 7 },
    undefined,
  ],
  ['a total equal to the prompt', { prompt_tokens: 9, total_tokens: 9 }, { prompt_tokens: 9 }, undefined],
  ['a completion of 0', { prompt_tokens: 9, completion_tokens: 0 }, { prompt_tokens: 9 }, 'completion_tokens 0'],
  [
    'a completion of 2e9',
    { prompt_tokens: 9, completion_tokens: 2e9 },
    { prompt_tokens: 9 },
    'completion_tokens 2000000000',
  ],
  [
    'billions of each',
    { prompt_tokens: 1e9, completion_tokens: 1e9 },
    {},
    'prompt_tokens 1000000000, completion_tokens 1000000000',
  ],
  [
    'a prompt of 1e9',
    { prompt_tokens: 1e9, completion_tokens: 5 },
    { completion_tokens: 5 },
    'prompt_tokens 1000000000',
  ],
  ['a negative prompt', { prompt_tokens: -9, completion_tokens: 5 }, { completion_tokens: 5 }, 'prompt_tokens -9'],
  ['no prompt', { completion_tokens: 5 }, { completion_tokens: 5 }, undefined],
  ['a prompt of 0', { prompt_tokens: 0, completion_tokens: 5 }, { completion_tokens: 5 }, undefined],
  ['zero of each', { prompt_tokens: 0, completion_tokens: 0 }, {}, 'completion_tokens 0'],
  ['lists', { prompt_tokens: [9], completion_tokens: [5] }, {}, 'prompt_tokens [9], completion_tokens [5]'],
];

describe.each(responseTypes)('usage reported in %s', (_, response, isStream, isLong) => {
  test.each(cases)('[A6.1] replaces impossible counts with local counts: %s', async (__, usage, taken, odd) => {
    const expected = { ...own, ...(isLong && { completion_tokens: ownLongCount }), ...taken };
    const log = await charged(response(usage), { stream: isStream });
    expect(log).toMatchObject(expected);
    expect(log.quota).toBe(Math.ceil((expected.prompt_tokens + expected.completion_tokens * 4) * 2.5));
    const { counted, odd_usage } = JSON.parse(log.detail);
    expect([counted, odd_usage]).toEqual([Object.keys(taken).length < 2 ? 'tokenizer' : undefined, odd]);
  });

  test('[A6.2] rounds fractional token counts up', async () => {
    const log = await charged(response({ prompt_tokens: 9.2, completion_tokens: 4.01 }), { stream: isStream });
    expect(log).toMatchObject({ prompt_tokens: 10, completion_tokens: 5 });
  });

  test("[A6.2] caps usage above the request's limit at the limit or the delivered tokens, whichever is higher", async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 5000 };
    const log = await charged(response(usage), { stream: isStream, max_tokens: 30, n: 2 });
    expect(log).toMatchObject({ prompt_tokens: 9, completion_tokens: isLong ? ownLongCount : 60 });
    expect(JSON.parse(log.detail)).toMatchObject({ odd_usage: 'completion_tokens 5000' });
  });

  test("charges hidden reasoning up to the request's limit", async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 2900 };
    const log = await charged(response(usage), { stream: isStream, max_tokens: 3000 });
    expect(log).toMatchObject({ prompt_tokens: 9, completion_tokens: 2900 });
    expect(JSON.parse(log.detail)).not.toHaveProperty('odd_usage');
  });

  test('[A6.4] charges usage reported for another model at the price of the requested model', async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 5, model: 'gpt-3.5-turbo' };
    const log = await charged(response(usage), { stream: isStream });
    expect(log).toMatchObject({ model: 'gpt-4o', quota: Math.ceil((9 + 5 * 4) * 2.5) });
  });
});

test('[A6.1] charges only the prompt when a response has no content and no usage', async () => {
  const log = await charged(
    reply({ ...chatResponse({ content: '' }), usage: { prompt_tokens: 9, completion_tokens: 0 } }),
    {},
  );
  expect(log).toMatchObject({ prompt_tokens: 9, completion_tokens: 0 });
  expect(JSON.parse(log.detail)).not.toHaveProperty('odd_usage');
});

test('[A6.3] uses the last usage when several events report usage', async () => {
  const first = usageEventOf({ prompt_tokens: 9, completion_tokens: 1 });
  const log = await charged(stream([first, textChunk(sentence), stop, usageEventOf({ completion_tokens: 12 }), done]), {
    stream: true,
  });
  expect(log).toMatchObject({ prompt_tokens: 9, completion_tokens: 12 });
});

async function charged(respond: UpstreamHandler, body: object) {
  const fixture = await createFixture({ upstreams: [respond] });
  const response = await fixture.chat(body);
  await response.text();
  expect(response.status).toBe(200);
  const { outcomes, user, drift } = await fixture.ledger();
  expect([outcomes.length, user.usedQuota, drift]).toEqual([1, outcomes[0]?.quota, 0]);
  const [log] = outcomes;
  if (!log) throw new Error('Nothing was written down.');
  const { promptTokens: prompt_tokens, completionTokens: completion_tokens } = log;
  return { ...log, prompt_tokens, completion_tokens };
}
