import { tokenApi } from '@headgate/contract';
import { reply, StubUpstream } from '@headgate/testkit';
import { horizontalScrollFaults } from '../support/accessibility.ts';
import { createChannel, removeAllChannels } from '../support/channels.ts';
import { createTestUser, rootAccount, signedInClient, signInAs, uniqueName } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

const invalidKey = reply({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 401);

test('shows failures and test results without horizontal scrolling', async ({ page, product }) => {
  await removeAllChannels(product.url);
  const upstream = await StubUpstream.start(invalidKey);
  const group = uniqueName('group');
  const { name } = await createChannel(product.url, { type: 8, base_url: upstream.url, group });
  const owner = await signedInClient(product.url, await createTestUser(product.url, { group, quota: 1_000_000 }));
  const { key } = await owner.call(tokenApi.create, { body: { name: 'ci', unlimited_quota: true } });
  await fetch(`${product.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
  });
  const expectNoScrolling = async (where: string) => {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await horizontalScrollFaults(page, where)).toEqual([]);
    }
  };
  await signInAs(page, rootAccount);
  await page.goto('/failure');
  await expect(page.getByRole('link', { name: `Key rejected: 1 entry for ${name}` })).toBeVisible();
  await expectNoScrolling('failures');
  await page.getByRole('link', { name: 'Channels', exact: true }).click();
  await page.getByRole('button', { name: 'Test all' }).click();
  const panel = page.getByRole('region', { name: 'Test results' });
  await expect(panel.getByText('1 tested, 1 failed')).toBeVisible();
  await expect(panel.getByText('401 Incorrect API key provided')).toBeVisible();
  await expectNoScrolling('test results');
  await upstream.close();
});
