import { channelApi, tokenApi } from '@headgate/contract';
import { reply, StubUpstream, type UpstreamAnswer } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { createChannel, removeAllChannels } from './channels.ts';
import { asRoot, clientOf, createPerson, freshName, rootAccount, setOption, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const fine = reply({ choices: [{ message: { content: 'Yes' } }], usage: { total_tokens: 3 } });
const refused = reply({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 401);
const busy = reply({ error: { message: 'Slow down', code: 'rate_limit_exceeded' } }, 429);

/** Asks to be left alone for a minute. */
const tired: UpstreamAnswer = (response) => {
  response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '60' });
  response.end(JSON.stringify({ error: { message: 'Slow down', code: 'rate_limit_exceeded' } }));
};

const customChannel = 8;
const widths = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;

/** A row of the table, or the card of a phone. */
const rowOf = (page: Page, name: string) =>
  page
    .getByRole('row')
    .or(page.getByRole('listitem'))
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

const fitsSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

test.beforeEach(({ page }) => signInAs(page, rootAccount));

for (const size of widths) {
  test.describe(`at ${size.width} pixels`, () => {
    test.use({ viewport: size });

    test('a row says what failed, in red, and the failing ones can be had alone', async ({ page, product }) => {
      await removeAllChannels(product.url);
      await withUpstreams([refused, fine], async ([bad, good]) => {
        const broken = await createChannel(product.url, { type: customChannel, base_url: bad?.url ?? '' });
        const sound = await createChannel(product.url, { type: customChannel, base_url: good?.url ?? '' });
        const root = await asRoot(product.url);
        for (const { id } of [broken, sound]) await root.send(channelApi.test, { params: { id }, query: {} });
        await page.goto('/channel');
        await expect(rowOf(page, broken.name)).toContainText('Failed · 401 Incorrect API key provided · just now');
        await expect(rowOf(page, broken.name).locator('[data-color="green"]')).toHaveCount(0);
        await expect(rowOf(page, sound.name)).not.toContainText('Failed');
        await page.getByRole('button', { name: 'Failing 1' }).click();
        await expect(page).toHaveURL(/failing=1/);
        await expect(rowOf(page, sound.name)).toHaveCount(0);
        await expect(rowOf(page, broken.name)).toBeVisible();
        expect(await fitsSideways(page)).toBe(true);
      });
    });

    test('those that rest can be had alone', async ({ page, product }) => {
      await removeAllChannels(product.url);
      await withUpstreams([tired], async ([bad]) => {
        const group = freshName('group');
        const channel = await createChannel(product.url, { type: customChannel, base_url: bad?.url ?? '', group });
        const awake = await createChannel(product.url);
        const person = await createPerson(product.url, { group, quota: 1_000_000 });
        const owner = await clientOf(product.url, person);
        const { key } = await owner.call(tokenApi.create, { body: { name: 'ci', unlimited_quota: true } });
        for (let count = 0; count < 3; count += 1) {
          await fetch(`${product.url}/v1/chat/completions`, {
            method: 'POST',
            headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
            body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
          });
        }
        await page.goto('/channel');
        await page.getByRole('button', { name: 'Resting 1' }).click();
        await expect(page).toHaveURL('/channel?resting=1');
        await expect(rowOf(page, channel.name)).toBeVisible();
        await expect(rowOf(page, awake.name)).toHaveCount(0);
        await page.getByRole('button', { name: 'Resting 1' }).click();
        await expect(page).toHaveURL('/channel');
        await expect(rowOf(page, awake.name)).toBeVisible();
        expect(await fitsSideways(page)).toBe(true);
      });
    });

    test('a run of tests ends in a panel by reason, from which some are tested again and disabled', async ({
      page,
      product,
    }) => {
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
        expect(await fitsSideways(page)).toBe(true);
        await panel(page).getByRole('button', { name: 'Close the test results' }).click();
        await expect(panel(page)).toHaveCount(0);
        await expect(rowOf(page, slow)).toBeVisible();
      });
    });

    test('which channels fail today and why: from the home page to the rows in three steps', async ({
      page,
      product,
    }) => {
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
        if (size.width < 600) await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: 'Failures' }).click();
        const link = page.getByRole('link', { name: `Key rejected: 3 rows of ${channel.name}` });
        await expect(link).toContainText('401');
        await expect(page.getByText('Refused before any channel')).toBeVisible();
        await expect(page.getByRole('link', { name: /^No channel: \d+ rows?/ })).toBeVisible();
        expect(await fitsSideways(page)).toBe(true);
        await link.click();
        await expect(page).toHaveURL(/reason=key_rejected/);
        await expect(page.getByText('Incorrect API key provided')).toHaveCount(3);
        await expect(page.getByRole('combobox', { name: 'Reason' })).toHaveValue('key_rejected');
      });
    });
  });
}
