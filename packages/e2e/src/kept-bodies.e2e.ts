import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import AxeBuilder from '@axe-core/playwright';
import { keptBodyApi, logApi, tokenApi } from '@headgate/contract';
import { completion, makeSessionsOld, reply, StubUpstream } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { createChannel } from './channels.ts';
import { clientOf, createPerson, freshName, type Person, rootAccount, setOption, signInAs } from './people.ts';
import { expect, type Product, test } from './product.ts';

const widths = [
  { name: 'a desk', width: 1280, height: 800 },
  { name: 'a phone', width: 390, height: 844 },
] as const;

/** The component library makes the head of a dialog a header, which counts as a second one of the page. */
const headsOfDialogs = ['landmark-no-duplicate-banner', 'landmark-unique'];

async function expectNoMistakes(page: Page, part = 'body'): Promise<void> {
  const axe = new AxeBuilder({ page }).include(part).setLegacyMode();
  const { violations } = await (part === 'body' ? axe : axe.disableRules(headsOfDialogs)).analyze();
  expect(violations.map(({ id: rule, nodes }) => [rule, nodes.map(({ html }) => html)])).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
}

/** An icon in the table, words on a card. */
const keptMarks = (page: Page) => page.getByRole('img', { name: 'Bodies kept' }).or(page.getByText('Bodies kept'));

/** A person with a token whose channel answers. */
async function personWithToken(url: string, upstream: StubUpstream) {
  const group = freshName('g');
  const person = await createPerson(url, { quota: 1_000_000, group });
  await createChannel(url, { base_url: upstream.url, type: 8, models: 'gpt-4o,tts-1', group });
  const client = await clientOf(url, person);
  const token = await client.call(tokenApi.create, { body: { name: 'agent', unlimited_quota: true } });
  const ask = async (content: string, body?: object, path = '/v1/chat/completions') => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${token.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body ?? { model: 'gpt-4o', messages: [{ role: 'user', content }] }),
    });
    expect(response.status).toBe(200);
    await response.text();
    return response.headers.get('x-request-id') ?? '';
  };
  return { person, client, token, ask };
}

/** One body no longer fits its row, as one does not that was sealed with another key; the time of the other is over. */
function changeStored({ folder }: Product, foreign: string, over: string): void {
  const database = new DatabaseSync(join(folder, 'headgate.db'), { timeout: 30_000 });
  database.prepare('update kept_bodies set status = 418 where request_id = ?').run(foreign);
  database
    .prepare(`update logs set detail = json_set(detail, '$.bodies_until', 1700000000) where request_id = ?`)
    .run(over);
  database.close();
}

/** Opens what a request asked and was answered, from its receipt. */
async function openBodies(page: Page, requestId: string, proof?: Person): Promise<void> {
  await page.goto(`/log?request_id=${requestId}`);
  await page.getByRole('button', { name: /^How this was charged/ }).click();
  await page.getByRole('dialog', { name: 'How this was charged' }).getByRole('button', { name: 'Show' }).click();
  if (!proof) return;
  const asking = page.getByRole('dialog', { name: 'Is it you?' });
  await expect(asking).toContainText('this shows what was said in confidence');
  await asking.getByRole('textbox', { name: 'Password' }).fill(proof.password);
  await asking.getByRole('button', { name: 'Continue' }).click();
}

for (const { name: place, width, height } of widths) {
  test(`a person has a token's requests kept and reads one at ${place}`, async ({ page, product }) => {
    await using stack = new AsyncDisposableStack();
    const upstream = await StubUpstream.start(completion());
    stack.defer(() => upstream.close());
    await setOption(product.url, 'KeepBodies', 'owners');
    stack.defer(() => setOption(product.url, 'KeepBodies', 'off'));
    await page.setViewportSize({ width, height });
    const { person, client, token, ask } = await personWithToken(product.url, upstream);
    await signInAs(page, person);
    await page.goto(`/token/edit/${token.id}`);
    await page.getByRole('button', { name: 'Keep…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Keep requests and answers/ });
    await dialog.getByLabel('Hours').fill('800');
    await dialog.getByRole('button', { name: 'Keep', exact: true }).click();
    await expect(dialog.getByText('A whole number from 1 to 720')).toBeVisible();
    await dialog.getByLabel('Hours').fill('48');
    await expectNoMistakes(page, '[role="dialog"]');
    await dialog.getByRole('button', { name: 'Keep', exact: true }).click();
    await expect(page.getByText('Kept for 48 h, 64 KiB of each at most')).toBeVisible();
    await expectNoMistakes(page);
    await page.goto('/token');
    await expect(keptMarks(page)).toHaveCount(1);
    await expectNoMistakes(page);

    const requestId = await ask('Where is the <b>harbour</b>?');
    makeSessionsOld(product);
    await openBodies(page, requestId, person);
    const shown = page.getByRole('dialog', { name: 'Request and answer' });
    await expect(shown.getByRole('group', { name: 'Request' })).toContainText(
      '"content": "Where is the <b>harbour</b>?"',
    );
    await expect(shown.getByRole('group', { name: 'Answer, status 200' })).toContainText('Hello');
    await expectNoMistakes(page, '[role="dialog"]');
    await shown.getByRole('button', { name: 'Delete now' }).click();
    await page
      .getByRole('dialog', { name: /^Delete what is kept/ })
      .getByRole('button', { name: 'Delete' })
      .click();
    await expect(shown).toBeHidden();
    await openBodies(page, requestId);
    await expect(page.getByText('is not kept, or no longer')).toBeVisible();

    await ask('Another one');
    await page.goto('/setting');
    await expect(page.getByText('Kept for 1 of your tokens, which are marked in the list.')).toBeVisible();
    await page.getByRole('button', { name: 'Delete what is kept (1)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Delete what is kept (0)' })).toBeDisabled();
    expect(await client.call(keptBodyApi.own)).toMatchObject({ kept: 0 });

    await page.goto(`/token/edit/${token.id}`);
    await page.getByRole('button', { name: 'Keep no more' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep no more' }).click();
    await expect(page.getByText('Not kept', { exact: true })).toBeVisible();
  });

  test(`what is cut, is no text, is over or cannot be opened says so at ${place}`, async ({ page, product }) => {
    await using stack = new AsyncDisposableStack();
    const upstream = await StubUpstream.start(completion());
    stack.defer(() => upstream.close());
    await setOption(product.url, 'KeepBodies', 'owners');
    stack.defer(() => setOption(product.url, 'KeepBodies', 'off'));
    await page.setViewportSize({ width, height });
    const { person, client, token, ask } = await personWithToken(product.url, upstream);
    await client.call(keptBodyApi.keepOwn, { body: { token_id: token.id, hours: 1, kilobytes: 1 } });
    const long = await ask('Tell me everything. '.repeat(100));
    upstream.answer = reply(
      Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 37) % 256)),
      200,
      'audio/mpeg',
    );
    const sound = await ask('Hello', { model: 'tts-1', input: 'Hello', voice: 'alloy' }, '/v1/audio/speech');
    upstream.answer = completion();
    const [foreign, over] = [await ask('Sealed elsewhere'), await ask('Long ago')];
    await expect.poll(async () => (await client.call(keptBodyApi.own)).kept).toBe(4);
    changeStored(product, foreign, over);
    await signInAs(page, person);
    const shown = page.getByRole('dialog', { name: 'Request and answer' });
    await openBodies(page, long);
    await expect(shown.getByText(/^Cut here: the first 1,024 of 2,\d{3} bytes are kept$/)).toBeVisible();
    await expectNoMistakes(page, '[role="dialog"]');
    await openBodies(page, sound);
    await expect(shown.getByRole('region', { name: 'Answer, status 200' })).toContainText('300 bytes · not text');
    await expectNoMistakes(page, '[role="dialog"]');
    await openBodies(page, foreign);
    await expect(page.getByText('sealed with another key')).toBeVisible();
    await expect(shown).toHaveCount(0);
    await page.goto(`/log?request_id=${over}`);
    await page.getByRole('button', { name: /^How this was charged/ }).click();
    const receipt = page.getByRole('dialog', { name: 'How this was charged' });
    await expect(receipt).toContainText('They were kept until 2023-11-14');
    await expect(receipt.getByRole('button', { name: 'Show' })).toHaveCount(0);
  });

  test(`an admin has a user's requests kept, and the user is told, at ${place}`, async ({ page, product }) => {
    await using stack = new AsyncDisposableStack();
    const upstream = await StubUpstream.start(completion());
    stack.defer(() => upstream.close());
    await setOption(product.url, 'KeepBodies', 'admins');
    stack.defer(() => setOption(product.url, 'KeepBodies', 'off'));
    await page.setViewportSize({ width, height });
    const { person, client, token, ask } = await personWithToken(product.url, upstream);
    await signInAs(page, rootAccount);
    await page.goto(`/user/view/${person.id}`);
    const all = page.getByRole('group', { name: `All tokens of ${person.username}` });
    await all.getByRole('button', { name: 'Keep…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep', exact: true }).click();
    await expect(all).toContainText('Kept for 24 h, 64 KiB of each at most · set by an admin');
    await expectNoMistakes(page);
    const requestId = await ask('Do they listen?');
    await openBodies(page, requestId);
    await expect(page.getByRole('group', { name: 'Request', exact: true })).toContainText('Do they listen?');
    const logs = await client.call(logApi.listOwn, { query: {} });
    expect(logs.map(({ content }) => content)).toContain(
      `${rootAccount.username} looked at what request ${requestId} asked and was answered`,
    );

    await page.context().clearCookies();
    await signInAs(page, person);
    await page.goto('/token');
    await expect(keptMarks(page).first()).toBeVisible();
    await page.goto(`/token/edit/${token.id}`);
    await expect(page.getByText('Kept for every token of your account.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Keep no more' })).toHaveCount(0);
    await expectNoMistakes(page);
  });
}
