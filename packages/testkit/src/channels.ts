import { type Channel, channel, channelApi, type Input } from '@headgate/contract';
import { asRoot, uniqueName } from './accounts.ts';

type NewChannel = Partial<Input<typeof channelApi.create>['body']>;

/** Creates a channel, with a unique name unless one is given. */
export async function createChannel(url: string, wanted: NewChannel = {}): Promise<Channel> {
  const root = await asRoot(url);
  const { name = uniqueName('ch'), key = `key-of-${name}`, models = 'gpt-4o,gpt-4o-mini' } = wanted;
  await root.call(channelApi.create, { body: { ...wanted, name, key, models } });
  return findChannel(url, name);
}

export async function findChannel(url: string, name: string): Promise<Channel> {
  const [channel] = await findChannels(url, name);
  if (channel?.name !== name) throw new Error(`No channel is named ${name}`);
  return channel;
}

/** Channels whose names contain the keyword, oldest first. */
export async function findChannels(url: string, keyword: string): Promise<readonly Channel[]> {
  const root = await asRoot(url);
  return root.call(channelApi.search, { query: { keyword, sort: 'id' } });
}

/** Deletes every channel, for tests that act on all of them. */
export async function removeAllChannels(url: string): Promise<void> {
  const root = await asRoot(url);
  for (;;) {
    const page = await root.call(channelApi.list, { query: { size: 100 } });
    if (page.length === 0) return;
    for (const { id } of page) await root.call(channelApi.remove, { params: { id } });
  }
}

/** Creates many channels in one call. Returns their name prefix. */
export async function createManyChannels(url: string, count: number): Promise<string> {
  const name = uniqueName('many');
  const key = Array.from({ length: count }, (_, index) => `key-${index}-of-${name}`).join('\n');
  await (await asRoot(url)).call(channelApi.create, { body: { name, key, models: 'gpt-4o' } });
  return name;
}

const plainChannel: Channel = channel.parse({
  id: 1,
  type: 1,
  key: '',
  status: 1,
  status_reason: '',
  name: 'main',
  weight: 0,
  created_time: 0,
  test_time: 0,
  response_time: 0,
  base_url: '',
  other: '',
  balance: 0,
  balance_updated_time: 0,
  models: 'gpt-4o',
  group: 'default',
  used_quota: 0,
  model_mapping: '',
  priority: 0,
  config: '',
  system_prompt: '',
});

/** Channel list rows as the API returns them, with defaults for missing fields. */
export const listedChannels = (channels: readonly Partial<Channel>[]): Channel[] =>
  channels.map((wanted, index) => ({ ...plainChannel, id: index + 1, ...wanted }));
