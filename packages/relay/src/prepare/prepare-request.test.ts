import { providers } from '@headgate/providers';
import { expect, test } from 'vitest';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { readRequest } from '../request/read-request.ts';
import { UpstreamView } from '../upstream/upstream-view.ts';
import { patchRequest } from './prepare-request.ts';

const deepSeek = 36;

const channel: RelayChannel = {
  id: 1,
  priority: 0,
  weight: 1,
  type: deepSeek,
  name: 'a channel',
  key: 'key',
  baseUrl: '',
  other: '',
  groups: ['default'],
  config: {},
  modelMapping: new Map([['asked', 'given']]),
  systemPrompt: 'Be kind',
};

function patched(body: object): unknown {
  const { chat } = providers[deepSeek];
  if (typeof chat !== 'object' || chat.kind !== 'pass') throw new Error('DeepSeek is passed through');
  const request = readRequest(endpointKinds.chat, Buffer.from(JSON.stringify(body)));
  const view = new UpstreamView(channel, request);
  return JSON.parse(patchRequest(request, { channel, view, wire: chat }).bytes.toString('utf8'));
}

test("applies the vendor's patch to the request after the channel's changes", () => {
  expect(
    patched({
      model: 'asked',
      messages: [
        { role: 'developer', content: 'Be brief' },
        { role: 'user', content: 'Hello' },
      ],
      max_completion_tokens: 5,
    }),
  ).toEqual({
    model: 'given',
    messages: [
      { role: 'system', content: 'Be kind' },
      { role: 'user', content: 'Hello' },
    ],
    max_tokens: 5,
  });
});
