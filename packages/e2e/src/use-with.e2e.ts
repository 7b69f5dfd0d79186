import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Token, tokenApi } from '@headgate/contract';
import { reply, StubUpstream } from '@headgate/testkit';
import type { Locator, Page } from '@playwright/test';
import { createChannel, removeAllChannels } from './channels.ts';
import { withStatus } from './gateway-status.ts';
import { seriousViolations } from './looks.ts';
import { clientOf, createPerson, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const programs = 'Claude Code,Codex,Gemini CLI,Cursor,opencode,aider,Open WebUI,curl,Python,JavaScript'.split(',');

/** One of each kind: a line for the terminal, several parts with a note, fields of settings. */
const looks = ['Claude Code', 'Codex', 'Cursor'];

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

const runShell = promisify(execFile);

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const tab = (scope: Page | Locator, name: string) => scope.getByRole('tab', { name, exact: true });
const texts = (scope: Page | Locator) => scope.getByRole('tabpanel').locator('pre');
const created = (page: Page) => page.getByRole('region', { name: 'The new token is ready. Use it with …' });

async function signInWithToken(page: Page, url: string, body: Partial<Token> = {}): Promise<string> {
  const person = await createPerson(url, { quota: 1_000_000 });
  const client = await clientOf(url, person);
  const { key } = await client.call(tokenApi.create, {
    body: { name: 'mine', unlimited_quota: true, ...(body as object) },
  });
  await signInAs(page, person);
  return `sk-${key}`;
}

async function openDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'More actions for mine' }).click();
  await page.getByRole('menuitem', { name: 'Use it with …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Use mine with …' });
  await expect(tab(dialog, 'Claude Code')).toBeVisible();
  return dialog;
}

/** Copies each part that is shown, and gives all of them. */
async function copyParts(page: Page, scope: Page | Locator): Promise<string[]> {
  const copied: string[] = [];
  for (const button of await scope
    .getByRole('tabpanel')
    .getByRole('button', { name: /^Copy: / })
    .all()) {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await button.click();
    await expect.poll(() => clipboard(page)).not.toBe('');
    copied.push(await clipboard(page));
  }
  return copied;
}

for (const [screen, viewport] of Object.entries(screens)) {
  test.describe(`how to use a token, on ${screen}`, () => {
    test.use({ viewport });

    test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));

    test('a token just made shows its key in the snippet of every program, and copies exactly what it shows', async ({
      page,
      product,
    }) => {
      await signInAs(page, await createPerson(product.url));
      await page.goto('/token/add');
      await page.getByLabel('Name').fill('mine');
      const answer = page.waitForResponse((response) => response.request().method() === 'POST');
      await page.getByRole('button', { name: 'Create token' }).click();
      const { data } = (await (await answer).json()) as { data: Token };
      await expect(page.getByText('Token created, click copy in the list to get it')).toBeVisible();
      await expect(page).toHaveURL('/token');
      await expect(created(page).getByRole('tab')).toHaveText(programs);
      for (const name of programs) {
        await tab(created(page), name).click();
        const copied = await copyParts(page, created(page));
        expect(copied).toEqual(await texts(created(page)).allTextContents());
        expect(copied.join('\n')).toContain(`sk-${data.key}`);
        expect(copied.join('\n')).toContain(product.url);
      }
      await created(page).getByRole('button', { name: 'Close' }).click();
      await expect(created(page)).toHaveCount(0);
    });

    test('what is shown of a new token is gone after a reload, and with the token', async ({ page, product }) => {
      await signInWithToken(page, product.url);
      for (const end of ['reload', 'delete'] as const) {
        await page.goto('/token/add');
        await page.getByLabel('Name').fill(end);
        await page.getByRole('button', { name: 'Create token' }).click();
        await expect(created(page)).toBeVisible();
        if (end === 'reload') await page.reload();
        else {
          await page.getByRole('button', { name: 'More actions for delete' }).click();
          await page.getByRole('menuitem', { name: 'Delete' }).click();
          await page.getByRole('button', { name: 'Delete token' }).click();
        }
        await expect(page.getByRole('button', { name: 'More actions for mine' })).toBeVisible();
        await expect(created(page)).toHaveCount(0);
      }
    });

    test('an older token of the same name does not pass for the new one', async ({ page, product }) => {
      const older = await signInWithToken(page, product.url);
      await page.goto('/token');
      await expect(page.getByRole('button', { name: 'More actions for mine' })).toBeVisible();
      await page.getByRole('link', { name: 'Add token' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Add token' })).toBeVisible();
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      await page.route('**/api/token/?*', async (route) => {
        await held;
        await route.continue();
      });
      await page.getByLabel('Name').fill('mine');
      await page.getByRole('button', { name: 'Create token' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Tokens' })).toBeVisible();
      await expect(created(page)).toHaveCount(0);
      release();
      await expect(texts(created(page))).toContainText('ANTHROPIC_AUTH_TOKEN=');
      await expect(texts(created(page))).not.toContainText(older);
    });

    test('an older token keeps its key masked until asked, and copies it whole', async ({ page, product }) => {
      const key = await signInWithToken(page, product.url, { models: 'text-embedding-3-small,claude-opus-4-5' });
      await page.goto('/token');
      const dialog = await openDialog(page);
      await expect(texts(dialog)).toContainText(`ANTHROPIC_AUTH_TOKEN='${key.slice(0, 5)}…${key.slice(-4)}'`);
      await expect(texts(dialog)).toContainText("ANTHROPIC_MODEL='claude-opus-4-5'");
      await expect(dialog.getByText(key)).toHaveCount(0);
      const [copied] = await copyParts(page, dialog);
      expect(copied).toContain(`ANTHROPIC_AUTH_TOKEN='${key}'`);
      await dialog.getByRole('button', { name: 'Show key' }).click();
      await expect(texts(dialog)).toHaveText(copied ?? '');
      await tab(dialog, 'Codex').click();
      await expect(texts(dialog).last()).toContainText(key);
      await dialog.getByRole('button', { name: 'Hide key' }).click();
      await expect(dialog.getByText(key)).toHaveCount(0);
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
    });

    test('programs are chosen by the arrow keys', async ({ page, product }) => {
      await signInWithToken(page, product.url);
      await page.goto('/token');
      const dialog = await openDialog(page);
      await tab(dialog, 'Claude Code').focus();
      await page.keyboard.press('ArrowRight');
      await expect(tab(dialog, 'Codex')).toBeFocused();
      await expect(tab(dialog, 'Codex')).toHaveAttribute('aria-selected', 'true');
      await expect(texts(dialog).first()).toContainText('wire_api = "responses"');
      await page.keyboard.press('End');
      await expect(tab(dialog, 'JavaScript')).toBeFocused();
      await page.keyboard.press('ArrowRight');
      await expect(texts(dialog)).toContainText('ANTHROPIC_BASE_URL');
    });

    test('Home shows the same with a placeholder and the address that the gateway names', async ({ page, product }) => {
      await withStatus(page, { server_address: 'https://gate.example/' });
      const key = await signInWithToken(page, product.url);
      await page.goto('/');
      await expect(page.getByRole('heading', { name: 'Use it with …' })).toBeVisible();
      await tab(page, 'aider').click();
      const [copied] = await copyParts(page, page);
      expect(copied).toContain("OPENAI_API_BASE='https://gate.example/v1'");
      expect(copied).toContain("OPENAI_API_KEY='sk-your-key'");
      await expect(page.getByText('Put the key of a token in place of sk-your-key.')).toBeVisible();
      await expect(page.getByText(key)).toHaveCount(0);
    });

    test('a browser that does not copy shows the whole text selected', async ({ page, product }) => {
      const key = await signInWithToken(page, product.url);
      await page.addInitScript(() => {
        Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('no')) } });
        document.execCommand = () => false;
      });
      await page.goto('/token');
      const dialog = await openDialog(page);
      await dialog.getByRole('button', { name: 'Copy: Terminal' }).click();
      await expect(page.getByText('Unable to copy to the clipboard, please copy manually')).toBeVisible();
      await expect.poll(() => page.evaluate(() => String(window.getSelection()))).toContain(key);
    });

    test('no serious fault of accessibility, and at 320 pixels only a text scrolls sideways', async ({
      page,
      product,
    }) => {
      await signInWithToken(page, product.url);
      const look = async (scope: Page | Locator, where: string) => {
        for (const name of programs) {
          await tab(scope, name).click();
          for (const colorScheme of looks.includes(name) ? (['light', 'dark'] as const) : []) {
            await page.emulateMedia({ colorScheme });
            expect(await seriousViolations(page), `${where} ${name}`).toEqual([]);
          }
          await page.setViewportSize({ width: 320, height: 640 });
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
          const widest = await scope
            .getByRole('tabpanel')
            .evaluate((panel) => Math.max(...[...panel.children].map((part) => part.getBoundingClientRect().right)));
          expect(widest).toBeLessThanOrEqual(320);
          await page.setViewportSize(viewport);
        }
      };
      await page.goto('/');
      await look(page, 'Home');
      await page.goto('/token');
      await look(await openDialog(page), 'the dialog');
    });
  });
}

test('the line for curl, pasted into a shell, is answered by the gateway', async ({ page, product, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const upstream = await StubUpstream.start(
    reply({
      id: 'c1',
      object: 'chat.completion',
      created: 1,
      model: "o'model",
      choices: [{ index: 0, message: { role: 'assistant', content: 'Good day' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    }),
  );
  try {
    await removeAllChannels(product.url);
    await createChannel(product.url, { type: 8, base_url: upstream.url, models: "o'model" });
    await signInWithToken(page, product.url);
    await page.goto('/token');
    const dialog = await openDialog(page);
    await tab(dialog, 'curl').click();
    const [copied = ''] = await copyParts(page, dialog);
    const { stdout } = await runShell('sh', ['-c', copied]);
    expect(JSON.parse(stdout)).toMatchObject({ choices: [{ message: { content: 'Good day' } }] });
  } finally {
    await upstream.close();
  }
});
