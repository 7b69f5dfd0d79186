import { describe, expect, test } from 'vitest';
import { channelProxy, proxyUrlOf, readProxyUrl } from './outbound-proxy.ts';

describe('outbound proxy URL', () => {
  test.each([
    ['http://proxy.example:3128', 'http://proxy.example:3128'],
    ['HTTPS://Proxy.example/', 'https://proxy.example:443'],
    ['socks5://10.0.0.1', 'socks5://10.0.0.1:1080'],
    ['socks5h://[::1]:9050', 'socks5h://[::1]:9050'],
    ['socks5://us%40er:p%3Aw@host:80', 'socks5://us%40er@host:80'],
  ])('%s is normalized without its password', (given, url) => {
    const proxy = readProxyUrl(given);
    expect(proxy && proxyUrlOf(proxy)).toBe(url);
  });

  test.each([
    ...['', 'proxy.example:3128', 'ftp://proxy.example', 'socks4://proxy.example', 'http://', 'http://host:0'],
    ...['http://host:65536', 'http://host/path', 'http://host?x', 'http://a b', 'http://u@v@host', 'http://:p@host'],
    ...['http://%00@host', 'http://%zz@host', `socks5://${'u'.repeat(256)}@host`, 'http://host\r\nX: y'],
  ])('%j is invalid', (url) => expect(readProxyUrl(url)).toBeUndefined());
});

test('the stored password completes the URL', () => {
  expect(channelProxy({ proxy: 'socks5://user@host:1080', proxy_password: 'p:w' })).toEqual({
    scheme: 'socks5',
    host: 'host',
    port: 1080,
    username: 'user',
    password: 'p:w',
  });
  expect(channelProxy({ proxy_password: 'p' })).toBeUndefined();
});
