import { channelApi, channelKeyApi } from '@headgate/contract';
import { completion, reply, type UpstreamHandler } from '@headgate/testkit';
import type { TestApp } from '../test-app.ts';
import { relayFixture } from './relay-fixture.ts';

/** Provider response for an unknown or revoked key. */
export const rejectedKeyResponse = reply(
  { error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' } },
  401,
);

export const numberedKey = (number: number) => `sk-of-account-${number}`;

/** An upstream that responds differently to each key and counts requests per key. */
function accounts() {
  const responses = new Map<string, UpstreamHandler>();
  const seen: string[] = [];
  const respond: UpstreamHandler = (response, request) => {
    const key = String(request.headers['authorization']).replace('Bearer ', '');
    seen.push(key);
    return (responses.get(key) ?? completion())(response, request);
  };
  return {
    respond,
    seen,
    /** Sets the response for this key. */
    say: (key: string, how: UpstreamHandler) => void responses.set(key, how),
    countOf: (key: string) => seen.filter((each) => each === key).length,
  };
}

/** A user whose only channel has several keys. */
export async function multiKeyFixture(app: TestApp, count: number, channel: Readonly<Record<string, unknown>> = {}) {
  const upstream = accounts();
  const scene = await relayFixture(app, {
    upstreams: [upstream.respond],
    channel: { key: numberedKey(1), ...channel },
    quota: 1_000_000_000,
  });
  const { admin, group } = scene;
  const ofScene = async () => {
    const [found] = await admin.call(channelApi.list, { query: { group } });
    if (!found) throw new Error('no channel');
    return found;
  };
  const params = { id: (await ofScene()).id };
  const others = Array.from({ length: count - 1 }, (_, index) => numberedKey(index + 2)).join('\n');
  if (count > 1) await admin.call(channelKeyApi.add, { params, body: { keys: others } });
  const keys = () => admin.call(channelKeyApi.list, { params });
  const idOf = async (index: number) => (await keys())[index]?.id ?? 0;
  return { ...scene, upstream, params, channel: ofScene, keys, idOf };
}
