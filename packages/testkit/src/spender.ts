import { channelApi, optionApi, type Token, tokenApi } from '@headgate/contract';
import { asRoot, createTestUser, setOption, signedInClient, type TestUser, uniqueName } from './accounts.ts';
import { reply, StubUpstream } from './upstreams/stub-upstream.ts';

const completion = reply({
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' } }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

/**
 * A model without a price costs 30 per input token and 4 times that per output token, so a request costs (10 + 5 × 4)
 * × 30 × 1000 points = $1.80.
 */
const groupRatio = 1000;
const hundredDollars = 50_000_000;

/** A user with a dedicated channel on which each request costs $1.80. */
export interface Spender {
  readonly person: TestUser;
  readonly token: Token;
  readonly group: string;
  readonly model: string;
  readonly channel: string;
  /** Sends a request through the gateway. Returns the status. */
  ask(): Promise<number>;
  close(): Promise<void>;
}

export async function createSpender(url: string): Promise<Spender> {
  const root = await asRoot(url);
  const [model, group, channel] = [uniqueName('gpt-4o'), uniqueName('group'), uniqueName('channel')];
  const options = await root.call(optionApi.list, { query: {} });
  const ratios = JSON.parse(options.find(({ key }) => key === 'GroupRatio')?.value ?? '{}') as object;
  await setOption(url, 'GroupRatio', JSON.stringify({ ...ratios, [group]: groupRatio }));
  const stub = await StubUpstream.start(completion);
  await root.call(channelApi.create, {
    body: { name: channel, type: 8, key: 'k', base_url: stub.url, models: model, group },
  });
  const person = await createTestUser(url, { group, quota: hundredDollars });
  const client = await signedInClient(url, person);
  const token = await client.call(tokenApi.create, { body: { name: uniqueName('laptop'), unlimited_quota: true } });
  const ask = async () => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${token.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
    });
    await response.text();
    return response.status;
  };
  return { person, token, group, model, channel, ask, close: () => stub.close() };
}
