import { oauthApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { newProviderUser, useLoginProviderFixture } from '../../testing/relay/login-provider-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const { app, visit, providers } = await useLoginProviderFixture();

test('a state works on another node, but only once across all nodes', async () => {
  await using node = await startTestApp({ beside: app, config: { providerUrls: { github: providers.url } } });
  const client = app.client();
  const query = await visit(client, 'github', newProviderUser());
  const there = node.client();
  there.cookies.set('headgate_browser', client.cookies.get('headgate_browser') ?? '');
  expect((await there.send(oauthApi.github, { query })).body).toMatchObject({ success: true });
  expect((await client.send(oauthApi.github, { query })).status).toBe(403);
});
