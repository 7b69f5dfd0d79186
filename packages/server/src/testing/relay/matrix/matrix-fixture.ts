import { isObject, type JsonObject } from '@headgate/dialects';
import { type ReceivedRequest, reply, StubUpstream, stream, type UpstreamHandler } from '@headgate/testkit';
import { afterAll } from 'vitest';
import type { TestApp } from '../../test-app.ts';
import { createChannel, relayFixture } from '../relay-fixture.ts';
import type { ChatCase, DialectRow, ModelOutput, ReceivedChat, WireRow } from './matrix.ts';

export type MatrixFixture = Awaited<ReturnType<ReturnType<typeof useMatrixFixtures>>>;

/** A user with two channels of the same type, the second one as a fallback. */
export function useMatrixFixtures(app: TestApp) {
  const upstreams: StubUpstream[] = [];
  afterAll(() => Promise.all(upstreams.map((upstream) => upstream.close())));
  return async (row: WireRow) => {
    const scene = await relayFixture(app);
    const own = await Promise.all([StubUpstream.start(), StubUpstream.start()]);
    upstreams.push(...own);
    for (const [index, { url }] of own.entries()) {
      const { type, channel } = row.wire;
      const models = `${row.model},${row.thinker}`;
      await createChannel(scene.admin, scene.group, url, { type, models, priority: 2 - index, ...channel(url) });
    }
    /** Chat requests, with the index of the upstream that received them. */
    const seen: { readonly request: ReceivedRequest; readonly at: number }[] = [];
    const respondWith = (respond: UpstreamHandler) => {
      for (const [at, upstream] of own.entries()) {
        upstream.handler = (response, request) => {
          const exchanged = row.wire.exchange?.(request, upstream.url);
          if (exchanged) return exchanged(response, request);
          seen.push({ request, at });
          return respond(response, request);
        };
      }
    };
    const send = (dialect: DialectRow, chatCase: ChatCase, init: RequestInit = {}) =>
      scene.post(dialect.path(chatCase), dialect.body(chatCase), {
        headers: { 'content-type': 'application/json', ...dialect.headers(`sk-${scene.token.key}`) },
        ...init,
      });
    let ignored: readonly string[] = [];
    return {
      scene,
      seen,
      /** Fields ignored in the last response, as reported to the client. */
      ignored: () => ignored,
      respondWith,
      send,
      /** Sets the response of both upstreams, whole or streamed. */
      say: (output: ModelOutput, isStream = false) =>
        respondWith(isStream ? stream(row.pieces(output)) : reply(row.whole(output))),
      /** The response as the client parses it. */
      async ask(dialect: DialectRow, chatCase: ChatCase) {
        const response = await send(dialect, chatCase);
        const text = await response.text();
        ignored = (response.headers.get('x-headgate-ignored') ?? '').split(', ');
        if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
        return dialect.read(chatCase.isStream ? dialect.gather(parseEvents(text)) : objectIn(text));
      },
      /** The last request as the upstream parses it. */
      lastSeen(): ReceivedChat {
        const last = seen.at(-1);
        if (!last) throw new Error('nothing reached the upstream');
        return row.read(last.request.body);
      },
    };
  };
}

/** Events of a stream without the end marker, or its JSON lines. */
export const parseEvents = (text: string): readonly JsonObject[] =>
  text
    .split('\n')
    .map((line) => (line.startsWith('data: ') ? line.slice('data: '.length) : line))
    .filter((line) => line.startsWith('{'))
    .map(objectIn);

export function objectIn(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (isObject(value)) return value;
  throw new Error(`${text} is no object`);
}
