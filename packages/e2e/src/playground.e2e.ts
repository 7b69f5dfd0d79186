import { channelApi, logApi, tokenApi } from '@headgate/contract';
import { type SeenRequest, StubUpstream, type UpstreamAnswer } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { asRoot, clientOf, createPerson, freshName, signInAs } from './people.ts';
import { expect, type Product, test } from './product.ts';

const event = (body: object) => `data: ${JSON.stringify(body)}\n\n`;
const delta = (fields: object) => event({ id: 'x', choices: [{ index: 0, delta: fields }] });

/** Thinks, answers in Markdown by the name of the model, and tells its usage. */
const answering: UpstreamAnswer = (response, { body }) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(delta({ role: 'assistant', reasoning_content: 'First I think.' }));
  const picture = '![secret](https://elsewhere.example/steal.png)';
  response.write(delta({ content: `I am **${String(body['model'])}** <script>window.stolen = 1</script> ${picture}` }));
  response.write(
    event({ id: 'x', choices: [], usage: { prompt_tokens: 12, completion_tokens: 34, total_tokens: 46 } }),
  );
  response.end('data: [DONE]\n\n');
};

/** Begins and does not end until the other side leaves. */
const endless: UpstreamAnswer = async (response, { left }) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(delta({ role: 'assistant', content: 'Once upon a time' }));
  await left;
};

/** Somebody signed in who has a token for two models of an upstream that answers so. */
async function openPlayground(page: Page, product: Product, answer: UpstreamAnswer) {
  const upstream = await StubUpstream.start(answer);
  const root = await asRoot(product.url);
  const group = freshName('group');
  const channel = { name: group, type: 8, key: 'k', base_url: upstream.url, group };
  await root.call(channelApi.create, { body: { ...channel, models: 'gpt-4o,gpt-4o-mini' } });
  const person = await createPerson(product.url, { group, quota: 100_000_000 });
  const client = await clientOf(product.url, person);
  const { key } = await client.call(tokenApi.create, { body: { name: 'mine', unlimited_quota: true } });
  await signInAs(page, person);
  await page.goto('/playground');
  await expect(page.getByRole('heading', { level: 1, name: 'Playground' })).toBeVisible();
  return { upstream, key, client };
}

const ask = async (page: Page, words: string) => {
  await page.getByLabel('Question', { exact: true }).fill(words);
  await page.getByLabel('Question', { exact: true }).press('Control+Enter');
};
const answerOf = (page: Page, model: string) => page.getByRole('article', { name: `Answer of ${model}`, exact: true });

test('invites to ask, with the question at the bottom of the window', async ({ page, product }) => {
  const { upstream } = await openPlayground(page, product, answering);
  const question = page.getByLabel('Question', { exact: true });
  const invitation = page.getByRole('heading', { name: 'Ask a model something' });
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(invitation).toBeVisible();
    const box = await question.boundingBox();
    expect(box?.y).toBeGreaterThan(height / 2);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(height);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await page.getByRole('button', { name: 'Write a haiku about a river' }).press('Enter');
  await expect(question).toBeFocused();
  await expect(question).toHaveValue('Write a haiku about a river');
  await page.keyboard.press('Control+Enter');
  await expect(answerOf(page, 'gpt-4o')).toContainText('12 tokens in, 34 out');
  await expect(invitation).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await upstream.close();
});

test('[A31.1] streams an answer with folded reasoning, tokens, times and cost, and runs nothing of it', async ({
  page,
  product,
}) => {
  const strangers: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(product.url)) strangers.push(request.url());
  });
  const { upstream, key, client } = await openPlayground(page, product, answering);
  await page.getByLabel('System prompt').fill('Be brief');
  await page.getByLabel('Temperature').fill('0.5');
  await ask(page, 'Who are you?');
  const answer = answerOf(page, 'gpt-4o');
  await expect(answer.locator('strong')).toHaveText('gpt-4o');
  await expect(answer.getByText('First I think.')).toBeHidden();
  await answer.getByText('Reasoning').click();
  await expect(answer.getByText('First I think.')).toBeVisible();
  await expect(answer).toContainText('12 tokens in, 34 out');
  await expect(answer).toContainText(/first byte after [\d,]+ ms · [\d,]+ ms in all · cost \$/);
  const [charged] = await client.call(logApi.listOwn, { query: { type: 2 } });
  expect(charged?.quota).toBeGreaterThan(0);
  await expect(answer).toContainText(`cost $${((charged?.quota ?? 0) / 500_000).toFixed(6)}`);
  expect(await page.evaluate(() => 'stolen' in window)).toBe(false);
  expect(strangers.filter((url) => !url.startsWith('data:') && !url.startsWith('blob:'))).toEqual([]);
  await ask(page, 'And again?');
  await expect(page.getByRole('article')).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
  const sent = upstream.seen.map(({ body }: SeenRequest) => body);
  expect(sent[0]).toMatchObject({
    temperature: 0.5,
    messages: [
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'Who are you?' },
    ],
  });
  expect(sent[1]?.['messages']).toHaveLength(4);
  // The key is not stored.
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]));
  expect(kept).not.toContain(key);
  await page.getByRole('button', { name: 'New conversation' }).click();
  await expect(page.getByRole('article')).toHaveCount(0);
  await upstream.close();
});

test('stops an answer, shows an error, and copies a request as code without the key', async ({
  page,
  product,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { upstream, key } = await openPlayground(page, product, endless);
  await ask(page, 'Tell me a story');
  await expect(page.getByText('Once upon a time')).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('Stopped')).toBeVisible();
  upstream.answer = (response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'this cannot be asked', type: 'invalid_request_error' } }));
  };
  await ask(page, 'And now?');
  await expect(page.getByRole('alert').filter({ hasText: 'this cannot be asked' })).toBeVisible();
  await page.getByRole('button', { name: 'Copy as code' }).first().click();
  await page.getByRole('menuitem', { name: 'curl' }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`${product.url}/v1/chat/completions`);
  expect(copied).toContain('Tell me a story');
  expect(copied).not.toContain(key);
  await upstream.close();
});
