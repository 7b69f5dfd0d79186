import AxeBuilder from '@axe-core/playwright';
import { channelPauseApi, optionApi, tokenApi } from '@headgate/contract';
import { completion, reply, StubUpstream } from '@headgate/testkit';
import { createChannel } from './channels.ts';
import { asRoot, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const widths = [
  { name: 'a desk', width: 1280, height: 800 },
  { name: 'a phone', width: 390, height: 844 },
] as const;

/** What other journeys expect. */
const usual = [['ModelGoneRule', '3 of 5']] as const;

for (const { name: place, width, height } of widths) {
  test(`a paused model tells why, and is tested and used again, at ${place}`, async ({ page, product }) => {
    await page.setViewportSize({ width, height });
    const gone = reply({ error: { message: 'The model does not exist', code: 'model_not_found' } }, 404);
    const upstream = await StubUpstream.start(gone);
    const root = await asRoot(product.url);
    for (const [key, value] of [
      ['AutomaticDisableChannelEnabled', 'true'],
      ['ModelGoneRule', '1 of 1'],
    ] as const)
      await root.call(optionApi.update, { body: { key, value } });
    const model = `lost-${width}`;
    const { id } = await createChannel(product.url, { type: 8, base_url: upstream.url, models: model });
    const { key } = await root.call(tokenApi.create, { body: { name: model, unlimited_quota: true } });
    const ask = () =>
      fetch(`${product.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
      });
    const paused = () => root.call(channelPauseApi.list, { params: { id } });
    await ask();
    await expect.poll(async () => (await paused()).length).toBe(1);
    await signInAs(page, rootAccount);
    await page.goto('/channel');
    await expect(page.getByText('1 model paused').first()).toBeVisible();
    await page.goto(`/channel/edit/${id}`);
    const pauses = page.getByRole('region', { name: 'Paused models' });
    await expect(pauses.getByText(model)).toBeVisible();
    await expect(pauses.getByText('404 The model does not exist')).toBeVisible();
    await expect(pauses.getByText(/^Next test /)).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.map(({ id: rule, nodes }) => [rule, nodes.map(({ html }) => html)])).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await pauses.getByRole('button', { name: `Test now: ${model}` }).click();
    await expect(page.getByText('It still fails: The model does not exist')).toBeVisible();
    await expect(pauses.getByText('1 test failed', { exact: false })).toBeVisible();
    upstream.answer = completion();
    await pauses.getByRole('button', { name: `Use again: ${model}` }).click();
    await expect(page.getByText('It is used again')).toBeVisible();
    await expect(pauses).toBeHidden();
    expect(await paused()).toEqual([]);
    for (const [key, value] of usual) await root.call(optionApi.update, { body: { key, value } });
    await upstream.close();
  });
}
