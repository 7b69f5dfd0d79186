import type { ServerResponse } from 'node:http';
import {
  chatResponse,
  completion,
  done,
  plainPrice,
  stop,
  textChunk,
  type UpstreamHandler,
  usageEvent,
} from '@headgate/testkit';
import { describe, expect, inject, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

let statements: string[] = [];
const app = await useTestApp({ onStatement: ({ query }) => statements.push(query.sql) });

/** Statements that end a transaction. On PostgreSQL, storing a batch of charges is a transaction by itself. */
const commits = () => statements.filter((text) => text === 'commit' || text.startsWith('with stored'));

/** A user whose first request, which reads the token, is already done. */
async function warmScene(respond: UpstreamHandler) {
  const scene = await relayFixture(app, { upstreams: [completion()] });
  const [upstream] = scene.upstreams;
  if (!upstream) throw new Error('no upstream');
  await (await scene.chat()).text();
  upstream.handler = respond;
  statements = [];
  return scene;
}

describe('statements on the request path', () => {
  test('runs no statement before the upstream request', async () => {
    let before: readonly string[] | undefined;
    const scene = await warmScene((response, request) => {
      before = [...statements];
      return completion()(response, request);
    });
    await (await scene.chat()).text();
    expect(before).toEqual([]);
    // Charged and logged in one commit before the response ends.
    expect(commits()).toHaveLength(1);
    // PostgreSQL needs only one round trip.
    if (inject('database') === 'postgres') expect(statements).toEqual(commits());
    await scene.close();
  });

  test('runs no statement while a stream is forwarded', async () => {
    const received = Promise.withResolvers<ServerResponse>();
    const scene = await warmScene((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      received.resolve(response);
    });
    const pending = scene.chat({ stream: true });
    const upstream = await received.promise;
    for (let sent = 0; sent < 20; sent += 1) upstream.write(textChunk('Hello '));
    const reader = (await pending).body?.getReader();
    let text = '';
    while (text.split('Hello ').length <= 20) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(statements).toEqual([]);
    upstream.end(stop + usageEvent + done);
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      text += Buffer.from(part.value).toString();
    }
    expect(text.endsWith(done)).toBe(true);
    expect(commits()).toHaveLength(1);
    expect((await scene.books()).logs.at(-1)).toMatchObject({ is_stream: 1, quota: plainPrice });
    await scene.close();
  });

  test('runs no statement for a rejected request', async () => {
    const scene = await warmScene(completion());
    expect((await scene.chat({ max_tokens: 1_000_000 })).status).toBe(402);
    expect((await scene.chat({ model: 'nobody-has-it' })).status).toBe(404);
    // Rejected requests are logged a second later, which may already happen here on a slow machine.
    expect(statements.filter((text) => !/^(begin|insert into|commit)/.test(text))).toEqual([]);
    await scene.close();
  });
});

test('stores requests that end together in one batch', async () => {
  const many = 100;
  const waiting: ServerResponse[] = [];
  const scene = await warmScene((response) => {
    waiting.push(response);
    if (waiting.length < many) return;
    const text = JSON.stringify(chatResponse());
    for (const each of waiting) each.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  const replies = await Promise.all(Array.from({ length: many }, () => scene.chat({ max_tokens: 10 })));
  expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
  expect(commits().length).toBeGreaterThan(0);
  expect(commits().length).toBeLessThan(many / 4);
  expect(statements.length).toBeLessThan(many * 2);
  const { logs, user, drift } = await scene.books();
  expect(logs).toHaveLength(many + 1);
  expect([user.used_quota, drift]).toEqual([(many + 1) * plainPrice, 0]);
  await scene.close();
});
