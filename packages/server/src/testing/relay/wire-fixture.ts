import {
  channelKey,
  reply,
  SocketUpstream,
  StubUpstream,
  type UpstreamHandler,
  type Wire,
  wires,
} from '@headgate/testkit';
import OpenAI, { type APIError } from 'openai';
import { afterAll } from 'vitest';
import type { TestApp } from '../test-app.ts';
import { createChannel, relayFixture } from './relay-fixture.ts';

type Channel = Readonly<Record<string, unknown>> & { readonly type: number; readonly models: string };

export type WireFixture = Awaited<ReturnType<ReturnType<typeof useWireFixtures>['stageOf']>>;

/** Fixtures with stub providers, closed after the last test of the file. */
export function useWireFixtures(app: TestApp) {
  const upstreams: (StubUpstream | SocketUpstream)[] = [];
  afterAll(() => Promise.all(upstreams.map((upstream) => upstream.close())));
  const build = (upstream: StubUpstream | SocketUpstream, channel: Channel) => {
    upstreams.push(upstream);
    return fixtureAt(app, upstream, channel);
  };
  return {
    /** A channel of this type whose upstream always sends the same response. */
    stageWith: async (respond: UpstreamHandler, channel: Channel) => build(await StubUpstream.start(respond), channel),
    /** A channel of a wire's type. Its upstream exchanges keys and otherwise responds as configured. */
    async stageOf(wire: Wire) {
      const upstream = await (wire.isSocket ? SocketUpstream : StubUpstream).start(reply({}));
      const stage = await build(upstream, { type: wire.type, models: wire.model, ...wire.channel(upstream.url) });
      const respondWith = (respond: UpstreamHandler) => {
        upstream.handler = (response, request) =>
          (wire.exchange?.(request, upstream.url) ?? respond)(response, request);
      };
      respondWith(reply({}));
      return { ...stage, respondWith };
    },
  };
}

/** A user whose only channel points to this stub. */
async function fixtureAt(app: TestApp, upstream: StubUpstream | SocketUpstream, channel: Channel) {
  const scene = await relayFixture(app);
  await createChannel(scene.admin, scene.group, upstream.url, { key: channelKey, ...channel });
  const { id } = await app.database
    .selectFrom('channels')
    .select('id')
    .where('group', '=', scene.group)
    .executeTakeFirstOrThrow();
  const client = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: `sk-${scene.token.key}`, maxRetries: 0 });
  /** The error of a chat request; undefined on success. */
  const sendRejected = (body: object) =>
    client.chat.completions
      .create({ model: channel.models, messages: [{ role: 'user', content: 'hi' }], ...body })
      .then(
        () => undefined,
        (error: unknown) => error as APIError,
      );
  return { upstream, scene, client, sendRejected, channel: id, seen: upstream.received };
}

export function wireNamed(name: string): Wire {
  const found = wires.find((wire) => wire.name === name);
  if (!found) throw new Error(`no wire is named ${name}`);
  return found;
}
