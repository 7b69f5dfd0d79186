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

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

for (const [screen, viewport] of Object.entries(screens)) {
  const isPhone = viewport.width < 600;
  const unfold = async (page: Page) => {
    if (isPhone) await page.getByRole('complementary', { name: 'Settings' }).getByRole('button').first().click();
  };
  const ask = async (page: Page, words: string) => {
    await page.getByLabel('Question', { exact: true }).fill(words);
    await page.getByLabel('Question', { exact: true }).press('Control+Enter');
  };
  const answerOf = (page: Page, model: string) =>
    page.getByRole('article', { name: `Answer of ${model}`, exact: true });

  test.describe(`the playground on ${screen}`, () => {
    test.use({ viewport });

    test('invites to ask, with what is typed at the end of the window', async ({ page, product }) => {
      const { upstream } = await openPlayground(page, product, answering);
      const question = page.getByLabel('Question', { exact: true });
      await expect(page.getByRole('heading', { name: 'Ask a model something' })).toBeVisible();
      const box = await question.boundingBox();
      expect(box?.y).toBeGreaterThan(viewport.height / 2);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(viewport.height);
      await page.getByRole('button', { name: 'Write a haiku about a river' }).press('Enter');
      await expect(question).toBeFocused();
      await expect(question).toHaveValue('Write a haiku about a river');
      await page.keyboard.press('Control+Enter');
      await expect(answerOf(page, 'gpt-4o')).toContainText('12 tokens in, 34 out');
      await expect(page.getByRole('heading', { name: 'Ask a model something' })).toHaveCount(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
      await upstream.close();
    });

    test('[A31.1] streams an answer with its reasoning folded, its tokens, times and cost, and runs nothing of it', async ({
      page,
      product,
    }) => {
      const strangers: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(product.url)) strangers.push(request.url());
      });
      const { upstream, key, client } = await openPlayground(page, product, answering);
      await unfold(page);
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
      // The key is in no place that outlives the page.
      const kept = await page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]),
      );
      expect(kept).not.toContain(key);
      await page.getByRole('button', { name: 'New conversation' }).click();
      await expect(page.getByRole('article')).toHaveCount(0);
      await upstream.close();
    });

    test('two models answer side by side, to a question with a picture', async ({ page, product }) => {
      const { upstream } = await openPlayground(page, product, answering);
      await unfold(page);
      await page.getByRole('button', { name: 'Compare two models' }).click();
      await page.getByRole('combobox', { name: 'Second model' }).click();
      await page.getByRole('option', { name: 'gpt-4o-mini' }).click();
      await page.locator('input[type=file]').setInputFiles({
        name: 'dot.png',
        mimeType: 'image/png',
        buffer: Buffer.from('iVBORw0KGgo=', 'base64'),
      });
      await expect(page.getByRole('img', { name: 'Picture 1' })).toBeVisible();
      await ask(page, 'What is this?');
      await expect(answerOf(page, 'gpt-4o').locator('strong')).toHaveText('gpt-4o');
      await expect(answerOf(page, 'gpt-4o-mini').locator('strong')).toHaveText('gpt-4o-mini');
      for (const { body } of upstream.seen) {
        expect(body['messages']).toEqual([
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is this?' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
            ],
          },
        ]);
      }
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      await upstream.close();
    });

    test('an answer is stopped, an error is told, and a request is copied as code without the key', async ({
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
  });
}

test('whoever has no token that works is led to making one', async ({ page, product }) => {
  const person = await createPerson(product.url);
  const client = await clientOf(product.url, person);
  for (const { id } of await client.call(tokenApi.list, { query: {} })) {
    await client.call(tokenApi.remove, { params: { id } });
  }
  await signInAs(page, person);
  await page.goto('/playground');
  await page.getByRole('link', { name: 'Add token' }).click();
  await expect(page).toHaveURL('/token/add');
});
