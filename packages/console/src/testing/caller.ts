import { channelApi, tokenApi } from '@headgate/contract';
import {
  asRoot,
  completion,
  createTestUser,
  StubUpstream,
  signedInClient,
  type TestUser,
  type UpstreamHandler,
  uniqueName,
} from '@headgate/testkit';
import { onTestFinished } from 'vitest';
import { gatewayUrl, nativeFetch } from './gateway.ts';

interface Caller {
  readonly person: TestUser;
  readonly model: string;
  /** Channel ids in order of priority. */
  readonly channels: readonly number[];
  /** Sends a chat request through the gateway with a new token of this name. */
  send(tokenName?: string, body?: object): Promise<void>;
}

/** Creates a user with quota, and a channel per upstream. Upstreams close when the test ends. */
export async function createCaller(upstreams: readonly UpstreamHandler[] = [completion()]): Promise<Caller> {
  const url = await gatewayUrl();
  const root = await asRoot(url);
  const [model, group] = [uniqueName('gpt-4o'), uniqueName('group')];
  for (const [index, respond] of upstreams.entries()) {
    const stub = await StubUpstream.start(respond);
    onTestFinished(() => stub.close());
    await root.call(channelApi.create, {
      body: { name: model, type: 8, key: 'k', base_url: stub.url, models: model, group, priority: 10 - index },
    });
  }
  const channels = (await root.call(channelApi.search, { query: { keyword: model } })).map(({ id }) => id).reverse();
  const person = await createTestUser(url, { group, quota: 1_000_000 });
  const client = await signedInClient(url, person);
  const send = async (name = 'ci', body: object = {}) => {
    const { key } = await client.call(tokenApi.create, { body: { name, unlimited_quota: true } });
    const response = await nativeFetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }], ...body }),
    });
    await response.text();
  };
  return { person, model, channels, send };
}
