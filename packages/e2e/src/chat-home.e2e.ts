import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OptionKey } from '@headgate/contract';
import type { Page } from '@playwright/test';
import { createPerson, setOption, signInAs } from './people.ts';
import { expect, test } from './product.ts';

/** Sets what the owner writes, and takes it back: tests of one worker share a product. */
async function withOption(url: string, key: OptionKey, value: string, work: () => Promise<void>): Promise<void> {
  await setOption(url, key, value);
  try {
    await work();
  } finally {
    await setOption(url, key, '');
  }
}

/** Somebody else's page on a loopback address of its own. */
async function withPageElsewhere(html: string, work: (address: string) => Promise<void>): Promise<void> {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' });

test.describe('chat', () => {
  test('[S2.26 S2.39 A31.2] shows the configured app in a sandbox over the whole page, and has its menu entry', async ({
    page,
    product,
  }) => {
    const app = '<h1>Chat app</h1><script>document.body.append("and it runs")</script>';
    await withPageElsewhere(app, (address) =>
      withOption(product.url, 'ChatLink', address, async () => {
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.goto('/');
        await menu(page).getByRole('link', { name: 'Chat' }).click();
        await expect(page).toHaveURL('/chat');
        const frame = page.locator('iframe[title="Chat"]');
        await expect(frame).toHaveAttribute('src', address);
        await expect(frame).toHaveAttribute('sandbox', /allow-scripts/);
        await expect(frame).not.toHaveAttribute('sandbox', /allow-top-navigation|allow-same-origin/);
        await expect(page.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('href', address);
        await expect(frame.contentFrame().getByText('and it runs')).toBeVisible();
        expect((await frame.boundingBox())?.height).toBeGreaterThan(600);
        // It fills the page without making it scroll.
        expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(800);
      }),
    );
  });

  test('[S2.39] without a link says so, frames nothing and has no menu entry', async ({ page }) => {
    await page.goto('/chat');
    await expect(page.getByRole('heading', { level: 1, name: 'No chat here yet' })).toBeVisible();
    await expect(page.locator('iframe')).toHaveCount(0);
    await expect(menu(page).getByRole('link', { name: 'About' })).toBeVisible();
    await expect(menu(page).getByRole('link', { name: 'Chat' })).toHaveCount(0);
  });

  test('[A63.7] does not frame a page of the gateway itself', async ({ page, product }) => {
    await withOption(product.url, 'ChatLink', `${product.url}/about`, async () => {
      await page.goto('/chat');
      await expect(page.getByText(/^The embedded page was blocked/)).toBeVisible();
      await expect(page.locator('iframe')).toHaveCount(0);
    });
  });

  test('[A63.7] shows a link instead of a frame that the policy of the loaded page does not allow', async ({
    page,
    product,
  }) => {
    await withPageElsewhere('<h1>Chat app</h1>', async (address) => {
      // As if the option was set after this page was loaded.
      await page.route('**/api/status', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { data: object };
        await route.fulfill({ response, json: { ...body, data: { ...body.data, chat_link: address } } });
      });
      await page.goto('/chat');
      await expect(page.getByText(/^The embedded page was blocked/)).toBeVisible();
      await expect(page.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('href', address);
      await withOption(product.url, 'ChatLink', address, async () => {
        await page.reload();
        const frame = page.locator('iframe[title="Chat"]').contentFrame();
        await expect(frame.getByRole('heading', { name: 'Chat app' })).toBeVisible();
      });
    });
  });
});

test.describe('home', () => {
  test('[S2.1] shows what the gateway is, and how to start', async ({ page, product }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1, name: 'Headgate' })).toBeVisible();
    await expect(page.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await expect(page).toHaveURL('/login');
    await signInAs(page, await createPerson(product.url));
    await page.goto('/');
    await expect(page.getByText(`${product.url}/v1`)).toBeVisible();
    await page.getByRole('link', { name: 'Add token' }).click();
    await expect(page).toHaveURL('/token/add');
  });

  test('[S2.1 A31.1] shows the owner’s Markdown, without anything that could run', async ({ page, product }) => {
    const text = [
      '# Welcome here',
      '[docs](https://example.com/docs)',
      '<img src="x" onerror="document.title = \'taken\'">',
      '<script>document.title = "taken"</script>',
      '[click](javascript:document.title="taken")',
    ].join('\n\n');
    await withOption(product.url, 'HomePageContent', text, async () => {
      await page.goto('/');
      await expect(page.getByRole('heading', { level: 1, name: 'Welcome here' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'docs' })).toHaveAttribute('href', 'https://example.com/docs');
      await expect(page.locator('main script, main [onerror], main [href^="javascript"]')).toHaveCount(0);
      await expect(page).toHaveTitle('Headgate');
    });
  });

  test('[S2.1 A31.2] frames an https address in a sandbox', async ({ page, product }) => {
    await withOption(product.url, 'HomePageContent', ' https://elsewhere.example/home ', async () => {
      await page.goto('/');
      const frame = page.locator('main iframe');
      await expect(frame).toHaveAttribute('src', 'https://elsewhere.example/home');
      await expect(frame).toHaveAttribute('sandbox', /allow-scripts/);
    });
  });

  test('[S1.23] is built in when the server knows no such content', async ({ page }) => {
    for (const path of ['home_page_content', 'notice', 'about'])
      await page.route(`**/api/${path}`, (route) => route.fulfill({ status: 404, body: '' }));
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1, name: 'Headgate' })).toBeVisible();
    await page.getByRole('link', { name: 'About' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'About' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('[S9.5] shows a notice for 20 seconds, once for each text', async ({ page, product }) => {
    await page.clock.install({ time: '2026-01-01T00:00:00' });
    await withOption(product.url, 'Notice', '**Maintenance** on Sunday', async () => {
      const notice = page.getByText('Maintenance on Sunday');
      await page.goto('/');
      await expect(notice).toBeVisible();
      await page.reload();
      await expect(page.getByRole('heading', { level: 1, name: 'Headgate' })).toBeVisible();
      await expect(notice).toHaveCount(0);
      await setOption(product.url, 'Notice', 'Back on Monday');
      await page.goto('/about');
      await expect(page.getByRole('heading', { level: 1, name: 'About' })).toBeVisible();
      await page.clock.pauseAt('2026-01-01T01:00:00');
      await page.getByRole('link', { name: 'Home' }).click();
      const next = page.getByText('Back on Monday');
      // Answers are handed on by timers, which stand still unless told.
      await expect(async () => {
        await page.clock.runFor(100);
        await expect(next).toBeVisible({ timeout: 500 });
      }).toPass();
      await page.clock.runFor(19_000);
      await expect(next).toBeVisible();
      await page.clock.runFor(2000);
      await expect(next).toHaveCount(0);
    });
  });

  test('a notice that is an address is a link, not a page in a message', async ({ page, product }) => {
    await withOption(product.url, 'Notice', 'https://elsewhere.example/news', async () => {
      await page.goto('/');
      await expect(page.getByRole('link', { name: 'https://elsewhere.example/news' })).toBeVisible();
      await expect(page.locator('iframe')).toHaveCount(0);
    });
  });
});

test.describe('about', () => {
  test('[S2.25] shows the owner’s text, and something of its own without one', async ({ page, product }) => {
    await page.goto('/about');
    await expect(page.getByText(/^Headgate relays requests/)).toBeVisible();
    await withOption(product.url, 'About', '## Who we are\n\nA small team.', async () => {
      await page.reload();
      await expect(page.getByRole('heading', { name: 'Who we are' })).toBeVisible();
    });
  });
});
