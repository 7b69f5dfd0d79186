import { namedEvents, reply, StubUpstream, stream, type UpstreamHandler } from '@headgate/testkit';
import type { TestApp } from '../test-app.ts';
import { createChannel, relayFixture } from './relay-fixture.ts';

interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

const usualUsage: Usage = { input_tokens: 10, output_tokens: 5 };

let made = 0;

/** Additional output items of the nth response. */
type MoreItems = (number: number) => readonly { readonly id: string; readonly type: string }[];

const messageOf = (id: string) => ({
  id,
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
});

/** Stores responses like OpenAI. Each response and its message get the next number as their id. */
export function storingUpstream(usage: Usage = usualUsage, more: MoreItems = () => []): UpstreamHandler {
  return (response, request) => {
    if (request.method !== 'POST' || request.path.endsWith('/cancel'))
      return reply({ called: `${request.method} ${request.path}` })(response, request);
    made += 1;
    const { stream: isStream, store = true, model } = request.body;
    const output = [...more(made), messageOf(`msg_${made}`)];
    const ended = {
      id: `resp_${made}`,
      object: 'response',
      created_at: 1,
      model,
      status: 'completed',
      store,
      output,
      usage,
    };
    if (isStream !== true) return reply(ended)(response, request);
    const events = [
      { type: 'response.created', response: { ...ended, status: 'in_progress', output: [], usage: null } },
      ...output.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item },
        ...('content' in item
          ? [{ type: 'response.output_text.delta', item_id: item.id, output_index, content_index: 0, delta: 'Hello' }]
          : []),
        { type: 'response.output_item.done', output_index, item },
      ]),
      { type: 'response.completed', response: ended },
    ];
    return stream(namedEvents(events))(response, request);
  };
}

interface StoredResponseFixtureOptions {
  readonly quota?: number;
  readonly usage?: Usage;
  readonly type?: number;
  readonly more?: MoreItems;
}

/** Users with two channels each that store responses, the second as a fallback. */
export function upstreamResponseFixtures(app: TestApp) {
  const upstreams: StubUpstream[] = [];
  const open = async ({ quota = 100_000_000, usage, type = 1, more }: StoredResponseFixtureOptions = {}) => {
    const scene = await relayFixture(app, { quota });
    const own = await Promise.all([
      StubUpstream.start(storingUpstream(usage, more)),
      StubUpstream.start(storingUpstream(usage, more)),
    ]);
    upstreams.push(...own);
    const [first, second] = own;
    for (const [index, { url }] of own.entries())
      await createChannel(scene.admin, scene.group, url, {
        type,
        priority: 2 - index,
        name: `${scene.group}-${index}`,
      });
    const ask = async (body: object = {}) => {
      const response = await scene.post('/v1/responses', { model: 'gpt-4o', input: 'hi', ...body });
      return { status: response.status, body: (await response.json()) as { id: string; error?: object } };
    };
    const call = async (method: string, path: string, key = scene.token.key) => {
      const headers = { authorization: `Bearer sk-${key}` };
      const response = await fetch(`${app.url}/v1/responses/${path}`, { method, headers });
      return { status: response.status, body: (await response.json()) as { called?: string; error?: object } };
    };
    return { ...scene, first, second, ask, call };
  };
  return { open, close: () => Promise.all(upstreams.map((upstream) => upstream.close())) };
}
