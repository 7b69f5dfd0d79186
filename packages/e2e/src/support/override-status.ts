import type { Page } from '@playwright/test';

/** Overrides fields of the gateway status. */
export async function overrideStatus(page: Page, change: object): Promise<void> {
  await page.route('**/api/status', async (route) => {
    const response = await route.fetch();
    const reply = await response.json();
    await route.fulfill({ response, json: { ...reply, data: { ...reply.data, ...change } } });
  });
}
