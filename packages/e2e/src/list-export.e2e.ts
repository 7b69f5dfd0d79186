import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { createPerson, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

const screens = { 'a wide screen': { width: 1280, height: 800 }, 'a phone': { width: 390, height: 844 } };

const linesOf = async (download: Download) => {
  const text = await readFile(await download.path(), 'utf8');
  return text.replace('\uFEFF', '').trimEnd().split('\r\n');
};

async function exportFrom(page: Page): Promise<Download> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const downloaded = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export CSV' }).click();
  return downloaded;
}

async function makeCodes(page: Page, name: string, count: number): Promise<readonly string[]> {
  const response = await page.request.post('/api/redemption/', { data: { name, quota: 500_000, count } });
  return ((await response.json()) as { data: string[] }).data;
}

for (const [screen, viewport] of Object.entries(screens)) {
  const isPhone = viewport.width < 600;

  test.describe(`exporting lists on ${screen}`, () => {
    test.use({ viewport });

    test('codes: all that the search leaves, in full', async ({ page }) => {
      await signInAs(page, rootAccount);
      const name = `hand out ${viewport.width}`;
      const keys = await makeCodes(page, name, 12);
      await page.goto(`/redemption?keyword=${encodeURIComponent(name)}`);
      const download = await exportFrom(page);
      expect(download.suggestedFilename()).toMatch(/^codes-[\d-]+\.csv$/);
      const [head, ...lines] = await linesOf(download);
      expect(head).toMatch(/^ID,Name,Code,Status,Points of quota,Quota in dollars,/);
      expect(lines.slice(0, -1).map((line) => line.split(',')[2])).toEqual(expect.arrayContaining([...keys]));
      expect(lines.at(-1)).toBe('Complete,12 of 12 rows');
      await expect(page.getByText('12 rows exported')).toBeVisible();
    });

    test('codes: those that are selected, and all that match', async ({ page }) => {
      await signInAs(page, rootAccount);
      const name = `choose ${viewport.width}`;
      await makeCodes(page, name, 12);
      await page.goto(`/redemption?keyword=${encodeURIComponent(name)}`);
      const bar = page.getByRole('toolbar', { name: 'Actions for the selected rows' });
      const exportSelected = async () => {
        const downloaded = page.waitForEvent('download');
        if (isPhone) {
          await bar.getByRole('button', { name: 'Actions' }).click();
          await page.getByRole('menuitem', { name: 'Export' }).click();
        } else {
          await bar.getByRole('button', { name: 'Export' }).click();
        }
        return linesOf(await downloaded);
      };
      const boxes = page.getByRole('checkbox', { name: new RegExp(`${name} #`) });
      await boxes.nth(0).check();
      await boxes.nth(2).check();
      expect((await exportSelected()).at(-1)).toBe('Complete,2 of 2 rows');
      for (const at of [1, 3, 4, 5, 6, 7, 8, 9]) await boxes.nth(at).check();
      await bar.getByRole('button', { name: 'Select all 12 that match' }).click();
      expect((await exportSelected()).at(-1)).toBe('Complete,12 of 12 rows');
    });

    test('[A32.4] own tokens without their keys; users and channels for admins', async ({ page, product }) => {
      const person = await createPerson(product.url);
      await signInAs(page, person);
      await page.goto('/token');
      const [head, line] = await linesOf(await exportFrom(page));
      expect(head).not.toMatch(/Key/);
      expect(line).toMatch(/^\d+,default,Enabled,Unlimited,/);
      await page.context().clearCookies();
      await signInAs(page, rootAccount);
      await page.goto(`/user?keyword=${person.username}`);
      const users = await linesOf(await exportFrom(page));
      expect(users[1]).toContain(`,${person.username},`);
      expect(users.at(-1)).toBe('Complete,1 of 1 rows');
      await page.request.post('/api/channel/', {
        data: { name: `export ${viewport.width}`, type: 1, key: 'sk-never-in-a-file', models: 'gpt-4o' },
      });
      await page.goto('/channel?status=1');
      const channels = await linesOf(await exportFrom(page));
      expect(channels.join('\n')).toContain(`,export ${viewport.width},OpenAI,Enabled,`);
      expect(channels.join('\n')).not.toContain('sk-never-in-a-file');
    });
  });
}
