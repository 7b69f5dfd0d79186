import { reply, StubUpstream } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { useWireFixtures, wireNamed } from '../../testing/relay/wire-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const bytes = Buffer.from('a picture');
const images = await StubUpstream.start(reply(bytes, 200, 'image/png'));
afterAll(() => images.close());
const app = await useTestApp({ isOpenAddress: (address) => address === '127.0.0.1' });
const { stageOf } = useWireFixtures(app);

test('inlines images given by URL for Claude on Vertex, which does not fetch them', async () => {
  const wire = wireNamed('Vertex with Claude');
  const { scene, respondWith, upstream } = await stageOf(wire);
  respondWith(wire.respond({ isStream: false, isCall: false }));
  const image = { type: 'image', source: { type: 'url', url: `${images.url}/one.png` } };
  const content = [
    { type: 'tool_result', tool_use_id: 't1', content: [image, { type: 'text', text: 'seen' }] },
    { ...image, cache_control: { type: 'ephemeral' } },
    { type: 'text', text: 'What is it?' },
  ];
  const turns = [
    { role: 'user', content: 'Look' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: {} }] },
    { role: 'user', content },
  ];
  const response = await scene.post('/v1/messages', { model: wire.model, max_tokens: 50, messages: turns });
  expect(response.status, await response.clone().text()).toBe(200);
  const source = { type: 'base64', media_type: 'image/png', data: bytes.toString('base64') };
  const sent = upstream.received.at(-1);
  expect(sent?.body['messages']).toEqual([
    ...turns.slice(0, 2),
    {
      role: 'user',
      content: [
        {
          ...content[0],
          content: [
            { type: 'image', source },
            { type: 'text', text: 'seen' },
          ],
        },
        { ...content[1], source },
        content[2],
      ],
    },
  ]);
  expect(images.received).toHaveLength(1);
});
