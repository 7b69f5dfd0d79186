import { channelApi, tokenApi } from '@headgate/contract';
import { StubUpstream, type UpstreamHandler } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { horizontalScrollFaults } from '../support/accessibility.ts';
import { asRoot, createTestUser, signedInClient, signInAs, uniqueName } from '../support/people.ts';
import { expect, type Product, test } from '../support/product.ts';

const event = (body: object) => `data: ${JSON.stringify(body)}\n\n`;

/** Responds with this text. */
const respondWith =
  (text: string): UpstreamHandler =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event({ id: 'x', choices: [{ index: 0, delta: { content: text } }] }));
    response.write(event({ id: 'x', choices: [], usage: { prompt_tokens: 12, completion_tokens: 34 } }));
    response.end('data: [DONE]\n\n');
  };

const hostile = [
  '<table background="https://elsewhere.example/1"><tr><td background="https://elsewhere.example/2">cell</td></tr></table>',
  '<dialog open class="m_9814e45f" id="root">Log in again</dialog>',
  '<textarea name="password">secret</textarea><select><option>one</option></select>',
  '<img src="https://elsewhere.example/3"><a href="javascript:window.stolen = 1">a link</a>',
  '<p popover id="pop" class="m_9814e45f">words</p> <script>window.stolen = 1</script>',
  '![secret](https://elsewhere.example/steal.png)',
  'the **end**',
].join('\n\n');

/** Creates a user with a token for a model of this upstream. */
async function createUser({ url }: Product, upstream: StubUpstream) {
  const group = uniqueName('group');
  const channel = { name: group, type: 8, key: 'k', base_url: upstream.url, models: 'gpt-4o', group };
  await (await asRoot(url)).call(channelApi.create, { body: channel });
  const person = await createTestUser(url, { group, quota: 100_000_000 });
  const client = await signedInClient(url, person);
  await client.call(tokenApi.create, { body: { name: 'mine', unlimited_quota: true } });
  return person;
}

async function expectQuestionAtBottom(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await expect(page.getByRole('heading', { name: 'Send a message to a model' })).toBeVisible();
  const box = await page.getByLabel('Message', { exact: true }).boundingBox();
  expect(box?.y).toBeGreaterThan(height / 2);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(height);
  expect(await horizontalScrollFaults(page, 'the playground')).toEqual([]);
}

test('[A31.1 A46.1 A46.2] sends a suggested prompt, and renders a hostile response without loading, running or overlaying anything', async ({
  page,
  product,
}) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(product.url)) foreign.push(request.url());
  });
  const upstream = await StubUpstream.start(respondWith(hostile));
  await signInAs(page, await createUser(product, upstream));
  await page.goto('/playground');
  await expectQuestionAtBottom(page, 390, 844);
  await expectQuestionAtBottom(page, 1280, 800);
  await page.getByRole('button', { name: 'Write a haiku about a river' }).press('Enter');
  const question = page.getByLabel('Message', { exact: true });
  await expect(question).toBeFocused();
  await expect(question).toHaveValue('Write a haiku about a river');
  await page.keyboard.press('Control+Enter');
  const responseArticle = page.getByRole('article', { name: 'Response from gpt-4o', exact: true });
  // The Markdown parser has loaded once `strong` appears.
  await expect(responseArticle.locator('strong')).toHaveText('end');
  await expect(responseArticle.locator('td')).toHaveText('cell');
  await expect(
    responseArticle.locator('dialog, textarea, select, img, [popover], [class^=m_9814e45f], #root'),
  ).toHaveCount(0);
  await expect(responseArticle.getByText('a link')).not.toHaveAttribute('href', /javascript/);
  await expect(responseArticle).toContainText('12 tokens in, 34 out');
  await expect(page.getByRole('heading', { name: 'Send a message to a model' })).toHaveCount(0);
  upstream.handler = respondWith(`${'a'.repeat(50_000)}@ the end`);
  await question.fill('And now?');
  await question.press('Control+Enter');
  await expect(responseArticle.last().locator('pre')).toContainText('the end');
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await horizontalScrollFaults(page, 'an answer')).toEqual([]);
  }
  expect(foreign).toEqual([]);
  expect(await page.evaluate(() => 'stolen' in window)).toBe(false);
  await upstream.close();
});
