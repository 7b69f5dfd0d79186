import { channelApi, groupApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

test('an apply takes effect on running nodes like a change made by an admin', async () => {
  await using app = await startTestApp();
  await using other = await startTestApp({ beside: app });
  using scene = new ConfigFileFixture(app);
  scene.variables['KEY'] = 'sk-one';
  scene.write({
    groups: { fresh: 0.5 },
    channels: { main: { type: 'OpenAI', key: { env: 'KEY' }, models: ['brand-new-model'], groups: ['default'] } },
  });
  const lines = await scene.apply();
  expect(lines.at(-1)).toBe('Changes applied.');
  const root = await other.signedIn('root', '123456');
  await expect.poll(() => root.call(groupApi.list)).toContain('fresh');
  expect((await root.call(channelApi.list, { query: {} })).map(({ name }) => name)).toEqual(['main']);
});
