import { channelApi, tokenApi } from '@headgate/contract';
import { StubUpstream, type UpstreamAnswer } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { asRoot, clientOf, createPerson, freshName, signInAs } from './people.ts';
import { expect, type Product, test } from './product.ts';

const event = (body: object) => `data: ${JSON.stringify(body)}\n\n`;
const delta = (content: string) => event({ id: 'x', choices: [{ index: 0, delta: { content } }] });

/** Answers with these words. */
const saying =
  (words: string): UpstreamAnswer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(delta(words));
    response.write(event({ id: 'x', choices: [], usage: { prompt_tokens: 12, completion_tokens: 34 } }));
    response.end('data: [DONE]\n\n');
  };

async function openPlayground(page: Page, product: Product, answer: UpstreamAnswer) {
  const upstream = await StubUpstream.start(answer);
  const root = await asRoot(product.url);
  const group = freshName('group');
  const channel = { name: group, type: 8, key: 'k', base_url: upstream.url, group };
  await root.call(channelApi.create, { body: { ...channel, models: 'gpt-4o' } });
  const person = await createPerson(product.url, { group, quota: 100_000_000 });
  const client = await clientOf(product.url, person);
  await client.call(tokenApi.create, { body: { name: 'mine', unlimited_quota: true } });
  await signInAs(page, person);
  await page.goto('/playground');
  return upstream;
}

async function ask(page: Page, words: string): Promise<void> {
  await page.getByLabel('Question', { exact: true }).fill(words);
  await page.getByLabel('Question', { exact: true }).press('Control+Enter');
}

test('[A46.1] what a model writes fetches nothing, floats above nothing and asks for nothing', async ({
  page,
  product,
}) => {
  const strangers: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('elsewhere.example')) strangers.push(request.url());
  });
  const hostile = [
    '<table background="https://elsewhere.example/1"><tr><td background="https://elsewhere.example/2">cell</td></tr></table>',
    '<dialog open class="m_9814e45f" id="root">Sign in again</dialog>',
    '<textarea name="password">secret</textarea><select><option>one</option></select>',
    '<img src="https://elsewhere.example/3"><a href="javascript:window.stolen = 1">a link</a>',
    '<p popover id="pop" class="m_9814e45f">words</p>',
    'the **end**',
  ];
  const upstream = await openPlayground(page, product, saying(hostile.join('\n\n')));
  await ask(page, 'Be evil');
  const answer = page.getByRole('article');
  // From here on it is read as Markdown.
  await expect(answer.locator('strong')).toHaveText('end');
  await expect(answer.locator('td')).toHaveText('cell');
  await expect(answer.locator('dialog, textarea, select, img, [popover], [class^=m_9814e45f], #root')).toHaveCount(0);
  await expect(answer.getByText('a link')).not.toHaveAttribute('href', /javascript/);
  await expect(page.getByRole('article')).toContainText('12 tokens in, 34 out');
  expect(strangers).toEqual([]);
  expect(await page.evaluate(() => 'stolen' in window)).toBe(false);
  await upstream.close();
});

test('[A46.2] shows text that is hard to parse as Markdown as it is, and the page keeps working', async ({
  page,
  product,
}) => {
  const upstream = await openPlayground(page, product, saying(''));
  for (const words of [
    `${'> '.repeat(20_000)}the end`,
    `${'_'.repeat(30_000)}the end`,
    `${'a'.repeat(50_000)}@ the end`,
  ]) {
    upstream.answer = saying(words);
    await ask(page, 'Be evil');
    const answer = page.getByRole('article').last();
    await expect(answer.locator('pre')).toContainText('the end');
    await expect(answer).toContainText('12 tokens in, 34 out');
    upstream.answer = saying('I am **well** again');
    await ask(page, 'And now?');
    await expect(answer.locator('strong')).toHaveText('well');
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'New conversation' }).click();
    await expect(page.getByRole('article')).toHaveCount(0);
  }
  await upstream.close();
});

test('[A46.3] who leaves the page stops the answer, and the provider hears of it', async ({ page, product }) => {
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  const upstream = await openPlayground(page, product, async (response, { left }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(delta('Once upon a time'));
    await left;
    resolve();
  });
  await ask(page, 'Tell me a story');
  await expect(page.getByText('Once upon a time')).toBeVisible();
  await page.getByRole('link', { name: 'Tokens' }).first().click();
  await expect(page).toHaveURL(/\/token/);
  await gone;
  await upstream.close();
});

test('[A46.4] what comes late of a conversation that was cleared is not said of the next', async ({
  page,
  product,
}) => {
  const upstream = await openPlayground(page, product, async (response, { left }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(delta('Once upon a time'));
    await left;
  });
  await ask(page, 'Tell me a story');
  await expect(page.getByText('Once upon a time')).toBeVisible();
  upstream.answer = (response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'this cannot be asked', type: 'invalid_request_error' } }));
  };
  // The cost of the first is asked for after its end, and said when it is known.
  const cost = page.waitForResponse(
    async (response) => response.url().includes('request_id=') && (await response.text()).includes('"quota"'),
  );
  await page.getByRole('button', { name: 'New conversation' }).click();
  await ask(page, 'Another story');
  await expect(page.getByRole('alert').filter({ hasText: 'this cannot be asked' })).toBeVisible();
  await cost;
  upstream.answer = saying('well');
  await ask(page, 'And now?');
  await expect(page.getByRole('article').last()).toContainText('34 out');
  await expect(page.getByRole('article').first()).not.toContainText('cost');
  await upstream.close();
});
