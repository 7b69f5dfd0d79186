import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { overrideStatus } from '../support/override-status.ts';
import { setOption } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

/** Serves this page on a separate loopback port. */
async function servePage(html: string) {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

test('[S2.26 S2.39 A31.2 A63.7] shows the configured chat app in a sandbox once the content security policy allows it', async ({
  page,
  product,
}) => {
  await using stack = new AsyncDisposableStack();
  const app = '<h1>Chat app</h1><script>document.body.append("and it runs")</script>';
  const { address, close } = await servePage(app);
  stack.defer(close);
  await page.setViewportSize({ width: 1280, height: 800 });
  // Simulates an option that was set after the page was loaded.
  await overrideStatus(page, { chat_link: address });
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Chat' }).click();
  await expect(page).toHaveURL('/chat');
  await expect(page.getByText(/^The embedded page was blocked/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('href', address);
  await page.unroute('**/api/status');
  await setOption(product.url, 'ChatLink', address);
  stack.defer(() => setOption(product.url, 'ChatLink', ''));
  await page.reload();
  const frame = page.locator('iframe[title="Chat"]');
  await expect(frame).toHaveAttribute('src', address);
  await expect(frame).toHaveAttribute('sandbox', /allow-scripts/);
  await expect(frame).not.toHaveAttribute('sandbox', /allow-top-navigation|allow-same-origin/);
  await expect(page.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('href', address);
  await expect(frame.contentFrame().getByRole('heading', { name: 'Chat app' })).toBeVisible();
  await expect(frame.contentFrame().getByText('and it runs')).toBeVisible();
  expect((await frame.boundingBox())?.height).toBeGreaterThan(600);
  // The frame fills the page without making it scroll.
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(800);
});
