import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { tokenApi } from '@headgate/contract';
import { completion, StubUpstream } from '@headgate/testkit';
import type { Locator, Page } from '@playwright/test';
import { accessibilityFaults, dialogSelector } from '../support/accessibility.ts';
import { createChannel } from '../support/channels.ts';
import { createTestUser, signedInClient, signInAs, uniqueName } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

const runShell = promisify(execFile);

const tab = (scope: Page | Locator, name: string) => scope.getByRole('tab', { name, exact: true });
const texts = (scope: Page | Locator) => scope.getByRole('tabpanel').locator('pre');

/** Signs in as the owner of the token "mine", in a group with one channel. Returns the key. */
async function signInWithToken(page: Page, url: string, channel: { base_url: string; models: string }) {
  const group = uniqueName('group');
  await createChannel(url, { type: 8, group, ...channel });
  const person = await createTestUser(url, { quota: 1_000_000, group });
  const client = await signedInClient(url, person);
  const { key } = await client.call(tokenApi.create, { body: { name: 'mine', unlimited_quota: true } });
  await signInAs(page, person);
  return `sk-${key}`;
}

/** Names of the programs whose panel is wider than a 320 px window. Code may scroll within its own frame. */
async function tooWidePanels(page: Page, scope: Page | Locator): Promise<string[]> {
  const found: string[] = [];
  await page.setViewportSize({ width: 320, height: 640 });
  for (const program of await scope.getByRole('tab').all()) {
    await program.click();
    const right = await scope.getByRole('tabpanel').evaluate((panel) => {
      const edges = [...panel.querySelectorAll('*')].map((part) => part.getBoundingClientRect().right);
      return Math.max(document.documentElement.scrollWidth, ...edges);
    });
    if (right > 320) found.push(`${await program.textContent()}: ${right}`);
  }
  return found;
}

test('copies a curl command that works in a shell, or selects it if the clipboard is unavailable', async ({
  page,
  product,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const upstream = await StubUpstream.start(completion());
  const key = await signInWithToken(page, product.url, { base_url: upstream.url, models: "o'model" });
  await page.goto('/token');
  await page.getByRole('button', { name: 'More actions for mine' }).click();
  await page.getByRole('menuitem', { name: 'Connect a client' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect a client to mine' });

  await tab(dialog, 'Claude Code').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tab(dialog, 'Codex')).toBeFocused();
  await expect(tab(dialog, 'Codex')).toHaveAttribute('aria-selected', 'true');
  await expect(texts(dialog).first()).toContainText('wire_api = "responses"');
  await page.keyboard.press('End');
  await expect(tab(dialog, 'JavaScript')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(texts(dialog)).toContainText('ANTHROPIC_BASE_URL');

  // One client of each kind: a shell command, several snippets with a note, settings fields.
  const faults: string[] = [];
  for (const name of ['Claude Code', 'Codex', 'Cursor']) {
    await tab(dialog, name).click();
    faults.push(...(await accessibilityFaults(page, name, dialogSelector)));
  }
  expect(faults).toEqual([]);
  expect(await tooWidePanels(page, dialog)).toEqual([]);

  await page.setViewportSize({ width: 1280, height: 800 });
  await tab(dialog, 'curl').click();
  const copy = dialog.getByRole('button', { name: /^Copy: / });
  await copy.click();
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const { stdout } = await runShell('sh', ['-c', copied]);
  expect(JSON.parse(stdout)).toMatchObject({ choices: [{ message: { content: 'Hello' } }] });
  await upstream.close();

  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    document.execCommand = () => false;
  });
  await copy.click();
  await expect(page.getByText('Unable to copy to the clipboard, please copy manually')).toBeVisible();
  await expect.poll(() => page.evaluate(() => String(window.getSelection()))).toContain(key);

  await page.goto('/');
  await expect(tab(page, 'curl')).toBeVisible();
  expect(await tooWidePanels(page, page)).toEqual([]);
  expect(await accessibilityFaults(page, 'Home')).toEqual([]);
});
