import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundledProgram } from '../../packages/testkit/src/bundled-program.ts';
import { BenchServer } from '../bench/bench-server.ts';
import { sampleHistory } from './sample-history.ts';
import { type Demo, startDemo } from './start-demo.ts';

let demo: Demo;

const { program } = BenchServer;
beforeAll(async () => {
  BenchServer.program = bundledProgram('main.ts');
  demo = await startDemo({ port: 0, say: () => undefined });
  await demo.server.signIn('root', 'headgate-demo');
});
afterAll(async () => {
  BenchServer.program = program;
  await demo.stop();
});

const send = (key: string, model: string, stream: boolean) =>
  fetch(new URL('/v1/chat/completions', demo.server.address), {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Hello' }] }),
  });

const keyOf = (username: string) => demo.shop.people.find((person) => person.username === username)?.keys[0] ?? '';

test('reports a port that is in use before it creates any data', async () => {
  const port = Number(new URL(demo.server.address).port);
  const message = (step: string) => expect.unreachable(step);
  await expect(startDemo({ port, say: message })).rejects.toThrow(
    `Cannot listen on port ${port} (EADDRINUSE); choose another one with --port.`,
  );
});

test("the demo's ledger is balanced", async () => {
  const { data } = await demo.server.call('GET', '/api/ledger');
  expect(data).toMatchObject({ drift: 0, offenders: [] });
});

test('the demo has 30 days of requests by several users, some of them failed', () => {
  const end = 1_763_000_000;
  const rows = [...sampleHistory(demo.shop, end)];
  expect(rows.length).toBeGreaterThan(3000);
  expect(rows.every((row) => row.created_at < end && row.created_at >= end - 30 * 86_400)).toBe(true);
  expect(new Set(rows.map((row) => row.username)).size).toBe(demo.shop.people.length);
  expect(new Set(rows.map((row) => row.type))).toEqual(new Set([2, 5]));
  expect([...sampleHistory(demo.shop, end)]).toEqual(rows);
});

test.each([
  ['OpenAI', 'ada.lovelace', 'deepseek-chat'],
  ['Anthropic', 'ada.lovelace', 'claude-sonnet-4-5'],
  ['Google', 'grace-hopper', 'gemini-2.5-flash'],
  ['a model without a price', 'grace-hopper', 'harvest-planner-v2'],
])('the demo streams a chat without a provider key: %s', async (_, username, model) => {
  const response = await send(keyOf(username), model, true);
  expect(response.status).toBe(200);
  const events = await response.text();
  expect(events).toContain('sample ');
  expect(events).toContain('[DONE]');
});

test('the demo has one failing channel', async () => {
  const [channel] = demo.shop.channels.filter(({ behavior }) => behavior === 'broken');
  const response = await fetch(new URL(`/api/channel/test/${channel?.id}`, demo.server.address));
  expect(response.status).toBe(401);
  await expect(demo.server.call('GET', `/api/channel/test/${channel?.id}`)).rejects.toThrow('Incorrect API key');
});
