import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { role, tokenApi, userApi } from '@headgate/contract';
import { StubUpstream, type UpstreamHandler } from '@headgate/testkit';
import type { Page } from '@playwright/test';
import { createChannel } from '../support/channels.ts';
import {
  asRoot,
  createTestUser,
  rootAccount,
  setOption,
  signedInClient,
  type TestUser,
  uniqueName,
} from '../support/people.ts';
import { expect, type Product, test } from '../support/product.ts';

/** A page whose script promotes the user with the current browser session, before the load event. */
const promoting = ({ username }: TestUser) => `<!doctype html><script>
  const request = new XMLHttpRequest();
  request.open('POST', '/api/user/manage', false);
  request.setRequestHeader('content-type', 'application/json');
  request.send(${JSON.stringify(JSON.stringify({ username, action: 'promote' }))});
</script>`;

/** An upstream that responds to every request with an attacker's script. */
const hostile =
  (attacker: TestUser): UpstreamHandler =>
  (response, { path }) => {
    const isWorker = path.startsWith('/worker.js');
    response.writeHead(200, {
      'content-type': isWorker ? 'text/javascript' : 'text/html',
      'content-security-policy': "script-src 'unsafe-inline'",
      'service-worker-allowed': '/',
    });
    response.end(isWorker ? 'self.postMessage?.("ran")' : promoting(attacker));
  };

/** Creates a user with a token and two channels with hostile upstreams: a proxy and one for transcriptions. */
async function createHostileChannels({ url }: Product) {
  const group = uniqueName('group');
  const attacker = await createTestUser(url, { group, quota: 1_000_000 });
  const upstream = await StubUpstream.start(hostile(attacker));
  const proxy = await createChannel(url, { type: 43, base_url: upstream.url, group, models: '' });
  await createChannel(url, { type: 8, base_url: upstream.url, group, models: 'whisper-1' });
  const client = await signedInClient(url, attacker);
  const { key } = await client.call(tokenApi.create, { body: { name: 'mine', unlimited_quota: true } });
  return {
    upstream,
    proxyPath: (path: string) => `/v1/proxy/${proxy.id}${path}?key=sk-${key}`,
    transcriptionPath: `/v1/audio/transcriptions?key=sk-${key}`,
    attackerRole: async () => (await (await asRoot(url)).call(userApi.get, { params: { id: attacker.id } })).role,
  };
}

/** Serves one page on the site attacker.test. */
async function withAttackersPage(html: string, work: (address: string) => Promise<void>): Promise<void> {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://attacker.test:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Signs root in at a gateway host name that only the browser can resolve. */
async function signInAsRoot(page: Page, gateway: string): Promise<void> {
  await page.goto(`${gateway}/about`);
  const status = await page.evaluate(async (account) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch('/api/user/login', { method: 'POST', headers, body: JSON.stringify(account) });
    return reply.status;
  }, rootAccount);
  expect(status).toBe(200);
}

/** Opens a URL. A download also ends the navigation. */
const open = (page: Page, address: string) => page.goto(address).catch(() => undefined);

/** A page that submits a form with a file without user interaction. */
const formTo = (address: string) => `<!doctype html>
<form method="post" enctype="multipart/form-data" action="${address}">
  <input name="model" value="whisper-1"><input name="response_format" value="text"><input name="file" type="file">
</form><script>
  const files = new DataTransfer();
  files.items.add(new File(['sound'], 'a.mp3'));
  document.querySelector('[type=file]').files = files.files;
  document.forms[0].submit();
</script>`;

// Browsers send Sec-Fetch headers to loopback addresses, but not to other plain-HTTP hosts.
const addresses = {
  'with Sec-Fetch headers': (url: string) => url,
  'without Sec-Fetch headers': (url: string) => `http://gateway.test:${new URL(url).port}`,
};

for (const [name, addressOf] of Object.entries(addresses)) {
  test.describe(`while root is signed in, ${name}`, () => {
    test('[A63.1] a proxy link runs no script', async ({ page, product }) => {
      const { upstream, proxyPath, attackerRole } = await createHostileChannels(product);
      const gateway = addressOf(product.url);
      await signInAsRoot(page, gateway);
      await open(page, `${gateway}${proxyPath('/page')}`);
      expect(await attackerRole()).toBe(role.common);
      await upstream.close();
    });

    test('[A63.3] a chat page that navigates its frame to the gateway runs no script', async ({ page, product }) => {
      const { upstream, proxyPath, attackerRole } = await createHostileChannels(product);
      const gateway = addressOf(product.url);
      await signInAsRoot(page, gateway);
      const script = `<script>location.href = '${gateway}${proxyPath('/page')}'</script>`;
      await withAttackersPage(script, async (address) => {
        await setOption(product.url, 'ChatLink', address);
        try {
          await page.goto(`${gateway}/chat`);
          await expect(page.getByText(/^The embedded page was blocked/)).toBeVisible();
        } finally {
          await setOption(product.url, 'ChatLink', '');
        }
      });
      expect(upstream.received).toEqual([]);
      expect(await attackerRole()).toBe(role.common);
      await upstream.close();
    });
  });
}

test('[A63.2] a form posted by another site with its own token runs no script', async ({ page, product }) => {
  const { upstream, transcriptionPath, attackerRole } = await createHostileChannels(product);
  await signInAsRoot(page, product.url);
  await withAttackersPage(formTo(`${product.url}${transcriptionPath}`), async (address) => {
    const isShown = page.waitForURL(/\/v1\/audio\/transcriptions/);
    await Promise.all([isShown, open(page, address)]);
  });
  expect(upstream.received).toEqual([]);
  expect(await attackerRole()).toBe(role.common);
  await upstream.close();
});

test('[A63.1] a proxied script is rejected as a service worker, worker or module of the console', async ({
  page,
  product,
}) => {
  const { upstream, proxyPath } = await createHostileChannels(product);
  await signInAsRoot(page, product.url);
  const outcome = await page.evaluate(async (path) => {
    const failed = () => 'failed';
    const worker = new Worker(path);
    return Promise.all([
      navigator.serviceWorker.register(path, { scope: '/' }).then(() => 'registered', failed),
      navigator.serviceWorker.register(path).then(() => 'registered', failed),
      new Promise((resolve) => {
        worker.addEventListener('error', () => resolve('failed'));
        worker.addEventListener('message', () => resolve('ran'));
      }),
      import(path).then(() => 'imported', failed),
    ]);
  }, proxyPath('/worker.js'));
  expect(outcome).toEqual(['failed', 'failed', 'failed', 'failed']);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  expect(upstream.received).toEqual([]);
  await upstream.close();
});
