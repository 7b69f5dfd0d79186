import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { readProxyUrl } from '@headgate/contract';
import {
  ipCertificate,
  localCertificate,
  OutboundProxyServer,
  otherHostCertificate,
  reply,
  SocketUpstream,
  StubUpstream,
  testCertificateAuthority,
} from '@headgate/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectBody } from './collect.ts';
import { Upstreams } from './upstream.ts';

const credentials = 'user:pass-word-of-the-proxy';
const upstreams = new Upstreams({ connectMs: 2000, firstByteMs: 2000, idleMs: 2000 });
const closing: (() => Promise<unknown>)[] = [];
const trusted = getCACertificates('default');

beforeAll(() => setDefaultCACertificates([...trusted, testCertificateAuthority, ipCertificate.cert]));
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await upstreams.close();
  await Promise.all(closing.map((close) => close()));
});

async function startProxy(options: Parameters<typeof OutboundProxyServer.start>[0]) {
  const proxy = await OutboundProxyServer.start(options);
  closing.push(() => proxy.close());
  return proxy;
}

async function startTls(certificate: { readonly key: string; readonly cert: string }): Promise<number> {
  const server = createHttpsServer(certificate, (_, response) => response.end('secure'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return (server.address() as AddressInfo).port;
}

const { signal } = new AbortController();

async function send(url: string, proxyUrl: string): Promise<string> {
  const proxy = readProxyUrl(proxyUrl);
  const body = url.startsWith('ws') ? '{}' : undefined;
  const response = await upstreams.open({ method: 'GET', url, headers: {}, body }, signal, { proxy });
  return (await collectBody(response, 10_000)).toString();
}

describe.each(['http', 'https', 'socks5'] as const)('requests through a proxy: %s', (scheme) => {
  test('HTTP and HTTPS providers are reached through a tunnel', async () => {
    const upstream = await StubUpstream.start(reply({ is: 'plain' }));
    closing.push(() => upstream.close());
    const port = await startTls(localCertificate);
    const proxy = await startProxy({ scheme, credentials });
    expect(JSON.parse(await send(`${upstream.url}/a`, proxy.url))).toEqual({ is: 'plain' });
    expect(await send(`https://localhost:${port}/`, proxy.url)).toBe('secure');
    expect(await send(`https://localhost:${port}/again`, proxy.url)).toBe('secure');
    // A SOCKS5 proxy receives the address that was checked.
    const names = [upstream.url.slice('http://'.length), `${scheme === 'socks5' ? '127.0.0.1' : 'localhost'}:${port}`];
    expect([...new Set(proxy.targets)]).toEqual(names);
  });

  test('WebSockets use the proxy too', async () => {
    const upstream = await SocketUpstream.start((response) => {
      response.write('hello');
      response.end();
    });
    closing.push(() => upstream.close());
    const proxy = await startProxy({ scheme });
    expect(await send(upstream.url.replace('http', 'ws'), proxy.url)).toBe('hello');
    expect(proxy.targets).toHaveLength(1);
  });

  test('the certificate of the provider is verified', async () => {
    const port = await startTls(otherHostCertificate);
    const proxy = await startProxy({ scheme });
    await expect(send(`https://localhost:${port}/`, proxy.url)).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  test('errors name the proxy without its credentials', async () => {
    const proxy = await startProxy({ scheme, credentials });
    const wrong = proxy.url.replace(credentials, 'user:wrong-pass');
    const without = proxy.url.replace(`${credentials}@`, '');
    for (const url of [wrong, without])
      await expect(send('http://127.0.0.1:9/', url)).rejects.toThrow(/^the outbound proxy rejected its credentials$/);
    const refusing = await startProxy({ scheme, refusal: scheme === 'socks5' ? 5 : 503 });
    await expect(send('http://127.0.0.1:9/', refusing.url)).rejects.toThrow(
      /^the outbound proxy refused the connection \((?:connection refused|status 503)\)$/,
    );
    await proxy.close();
    await expect(send('http://127.0.0.1:9/', proxy.url)).rejects.toThrow(
      /^the outbound proxy could not be reached \(ECONNREFUSED\)$/,
    );
  });

  test('[A71.6] forbidden addresses are rejected before the proxy is contacted', async () => {
    const proxy = await startProxy({ scheme });
    for (const host of ['169.254.169.254', '[::ffff:a9fe:a9fe]', 'metadata.google.internal'])
      await expect(send(`http://${host}/`, proxy.url)).rejects.toThrow('its address is not allowed');
    expect(proxy.targets).toEqual([]);
    for (const host of ['169.254.169.254', '0xa9.254.43518', '2852039166', '[::ffff:a9fe:a9fe]'])
      await expect(send('http://127.0.0.1:9/', `${scheme}://${host}:80`)).rejects.toThrow(
        'the outbound proxy address is not allowed',
      );
  });
});

test('socks5h leaves name resolution to the proxy', async () => {
  const port = await startTls(localCertificate);
  const proxy = await startProxy({ scheme: 'socks5' });
  expect(await send(`https://localhost:${port}/`, proxy.url.replace('socks5', 'socks5h'))).toBe('secure');
  expect(proxy.targets).toEqual([`localhost:${port}`]);
});

test('a proxy that sends no HTTP or SOCKS response is reported', async () => {
  const port = await startTls(localCertificate);
  await expect(send('http://127.0.0.1:9/', `http://127.0.0.1:${port}`)).rejects.toThrow(/^the outbound proxy /);
  await expect(send('http://127.0.0.1:9/', `socks5://127.0.0.1:${port}`)).rejects.toThrow(/^the outbound proxy /);
});
