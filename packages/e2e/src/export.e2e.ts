import { readFile } from 'node:fs/promises';
import { createPerson, signInAs } from './people.ts';
import { expect, test } from './product.ts';
import { seedLogs } from './seed-logs.ts';

test('[A32.1] exports exactly the filtered logs, with sums, and escapes formulas', async ({ page, product }) => {
  const person = await createPerson(product.url);
  const newest = 1_790_000_000;
  seedLogs(product, { owner: person, count: 2, newest, token: '=1+1' });
  seedLogs(product, { owner: person, count: 3, newest, token: 'other' });
  await signInAs(page, person);
  await page.goto('/log?token_name=%3D1%2B1');
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const download = await downloaded;
  expect(download.suggestedFilename()).toMatch(/^logs-[\d-]+\.csv$/);
  const text = await readFile(await download.path(), 'utf8');
  const [head, ...lines] = text.replace('\uFEFF', '').trimEnd().split('\r\n');
  expect(head).toMatch(/^Time,Type,Token,Model,Prompt tokens,Completion tokens,Points of quota,Quota in dollars,/);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^2026-09-21 14:13:20,Consumption,'=1\+1,gpt-4o,40,15,100,0\.0002,/);
  expect(lines[1]).toMatch(/^2026-09-21 14:13:19,Consumption,'=1\+1,gpt-4o,40,15,101,0\.000202,/);
  expect(lines[2]).toMatch(/^Sum,Consumption,,,80,30,201,0\.000402,/);
  expect(lines[3]).toMatch(/^Covered,.*,2 of 2 rows$/);
  await expect(page.getByText('2 rows exported')).toBeVisible();
});
