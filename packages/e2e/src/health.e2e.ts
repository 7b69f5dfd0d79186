import { channelApi, tokenApi } from '@headgate/contract';
import { reply, StubUpstream, type UpstreamAnswer } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { createChannel, removeAllChannels } from './channels.ts';
import { asRoot, clientOf, createPerson, freshName, rootAccount, setOption, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const fine = reply({ choices: [{ message: { content: 'Yes' } }], usage: { total_tokens: 3 } });
const refused = reply({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 401);
const busy = reply({ error: { message: 'Slow down', code: 'rate_limit_exceeded' } }, 429);

const customChannel = 8;
const rowOf = (page: Page, name: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name, exact: true }) })
    .filter({ hasText: 'Enabled' });

const panel = (page: Page) => page.getByRole('region', { name: 'Test results' });

async function withUpstreams(
  answers: readonly UpstreamAnswer[],
  work: (upstreams: readonly StubUpstream[]) => Promise<void>,
) {
  const upstreams = await Promise.all(answers.map((answer) => StubUpstream.start(answer)));
  try {
    await work(upstreams);
  } finally {
    await Promise.all(upstreams.map((upstream) => upstream.close()));
  }
}

/** No horizontal scrolling on a phone and a wide screen. */
async function expectNoScrolling(page: Page): Promise<void> {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
}

test.beforeEach(({ page }) => signInAs(page, rootAccount));

test('groups the results of a test run by reason, and tests again and disables some', async ({ page, product }) => {
  await removeAllChannels(product.url);
  await withUpstreams([refused, busy, fine], async (upstreams) => {
    const names: string[] = [];
    for (const { url } of upstreams) {
      const { name } = await createChannel(product.url, { type: customChannel, base_url: url });
      names.push(name);
    }
    const [wrong = '', slow = '', sound = ''] = names;
    await page.goto('/channel');
    await page.getByRole('button', { name: 'Test all' }).click();
    await expect(panel(page).getByText('3 tested, 2 failed')).toBeVisible();
    await expect(panel(page).getByText('Key rejected · 1')).toBeVisible();
    await expect(panel(page).getByText('401 Incorrect API key provided')).toBeVisible();
    await expect(panel(page).getByText('Rate limited · 1')).toBeVisible();
    await panel(page).getByText('Answered · 1').click();
    await expect(panel(page).getByRole('link', { name: sound })).toBeVisible();
    const [, second] = upstreams;
    if (second) second.answer = fine;
    await panel(page).getByRole('checkbox', { name: 'Rate limited · 1' }).check();
    await panel(page).getByRole('button', { name: 'Test again (1)' }).click();
    await expect(panel(page).getByText('1 tested, 0 failed')).toBeVisible();
    await page.getByRole('button', { name: 'Test all' }).click();
    await expect(panel(page).getByText('3 tested, 1 failed')).toBeVisible();
    await panel(page)
      .getByRole('checkbox', { name: `Choose ${wrong}` })
      .check();
    await panel(page).getByRole('button', { name: 'Disable (1)' }).click();
    await expect(page.getByText('1 channel disabled')).toBeVisible();
    const root = await asRoot(product.url);
    const stored = await root.call(channelApi.list, { query: { status: 2 } });
    expect(stored.map(({ name }) => name)).toEqual([wrong]);
    await expectNoScrolling(page);
    await panel(page).getByRole('button', { name: 'Close the test results' }).click();
    await expect(panel(page)).toHaveCount(0);
    await expect(rowOf(page, slow)).toBeVisible();
  });
});

test('leads from home to the log entries of failing channels in three steps', async ({ page, product }) => {
  await setOption(product.url, 'AutomaticDisableChannelEnabled', 'false');
  await withUpstreams([refused], async ([bad]) => {
    const group = freshName('group');
    const channel = await createChannel(product.url, { type: customChannel, base_url: bad?.url ?? '', group });
    const person = await createPerson(product.url, { group, quota: 1_000_000 });
    const owner = await clientOf(product.url, person);
    const { key } = await owner.call(tokenApi.create, { body: { name: 'ci', unlimited_quota: true } });
    const ask = (model: string) =>
      fetch(`${product.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
      });
    for (let count = 0; count < 3; count += 1) expect((await ask('gpt-4o')).status).toBe(502);
    expect((await ask('gpt-5')).status).toBe(404);
    await page.goto('/');
    await page.getByRole('link', { name: 'Failures' }).click();
    const link = page.getByRole('link', { name: `Key rejected: 3 rows of ${channel.name}` });
    await expect(link).toContainText('401');
    await expect(page.getByText('Refused before any channel')).toBeVisible();
    await expect(page.getByRole('link', { name: /^No channel: \d+ rows?/ })).toBeVisible();
    await expectNoScrolling(page);
    await link.click();
    await expect(page).toHaveURL(/reason=key_rejected/);
    await expect(page.getByText('Incorrect API key provided')).toHaveCount(3);
    await expect(page.getByRole('combobox', { name: 'Reason' })).toHaveValue('key_rejected');
  });
});
