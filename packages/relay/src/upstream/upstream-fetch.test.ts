import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { isPublicAddress, publicLookup } from '../guards/public-address.ts';
import { RelayError } from '../ports/relay-error.ts';
import { FetchedImages } from '../prepare/fetched-images.ts';
import { inlineImages } from '../prepare/prepare-request.ts';
import { PublicFetch } from './upstream-fetch.ts';

const picture = Buffer.from('89504e470d0a1a0a', 'hex');
const seen: string[] = [];
/** Connections that have already carried a request. */
const used = new WeakSet<object>();

const typesByPath: Readonly<Record<string, string>> = {
  '/page': 'text/html',
  '/long-type': `image/${'x'.repeat(8000)}`,
  '/odd-type': 'image/"png',
};

const server = createServer((request, response) => {
  const path = request.url ?? '';
  seen.push(path);
  const [, steps] = /^\/redirect\/(\d+)$/.exec(path) ?? [];
  if (steps !== undefined) {
    const next = Number(steps) === 0 ? '/picture' : `/redirect/${Number(steps) - 1}`;
    response.writeHead(302, { location: next }).end();
  } else if (path.startsWith('/to/')) {
    response.writeHead(307, { location: decodeURIComponent(path.slice('/to/'.length)) }).end();
  } else if (path === '/large') {
    response.writeHead(200, { 'content-type': 'image/png' });
    const block = Buffer.alloc(1024 * 1024);
    const more = () => {
      while (!response.destroyed && response.write(block));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  } else if (path === '/once' && used.has(request.socket)) request.socket.destroy();
  else if (path === '/gone') response.writeHead(404, { 'content-type': 'image/png' }).end();
  else response.writeHead(200, { 'content-type': typesByPath[path] ?? 'Image/PNG; charset=x' }).end(picture);
  used.add(request.socket);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Treats this machine as part of the public internet. */
const fetcher = new PublicFetch((address) => address === '127.0.0.1');
const strict = new PublicFetch();
afterAll(async () => {
  await Promise.all([fetcher.close(), strict.close()]);
  server.closeAllConnections();
  server.close();
});

const imageError = (why: string) => ({
  status: 400,
  code: 'invalid_image_url',
  type: 'invalid_request_error',
  message: `An image of the request ${why}`,
});

describe('images by URL', () => {
  test.each(['/picture', '/redirect/0', '/redirect/2'])('fetches the image %s', async (path) => {
    expect(await fetcher.image(url + path)).toEqual({ mediaType: 'image/png', bytes: picture });
  });

  test.each([
    ['too many redirects', '/redirect/3', 'returned status 302'],
    ['an HTML page', '/page', 'is not an image'],
    ['a media type of 8 kB, which each reference would repeat', '/long-type', 'is not an image'],
    ['an invalid media type', '/odd-type', 'is not an image'],
    ['nothing', '/gone', 'returned status 404'],
    ['an image above the size limit', '/large', 'is too large'],
    ['a redirect to another machine', `/to/${encodeURIComponent('http://127.0.0.2/picture')}`, 'may not be fetched'],
    [
      'a redirect to the metadata service',
      `/to/${encodeURIComponent('http://169.254.169.254/latest')}`,
      'may not be fetched',
    ],
    ['a redirect to a file', `/to/${encodeURIComponent('file:///etc/passwd')}`, 'may not be fetched'],
    ['a redirect to an invalid URL', `/to/${encodeURIComponent('http://[')}`, 'could not be fetched'],
  ])('[A21.2] rejects %s', async (_, path, why) => {
    await expect(fetcher.image(url + path)).rejects.toMatchObject(imageError(why));
  });

  test.each(['ftp://example.com/x', 'data:image/png;base64,AA==', 'javascript:1', 'file:///etc/passwd'])(
    '[A21.5] rejects the URL %s',
    async (address) => {
      await expect(strict.image(address)).rejects.toMatchObject(imageError('may not be fetched'));
    },
  );

  test.each(['not a URL', 'http://', ''])('rejects the malformed URL %j', async (address) => {
    await expect(strict.image(address)).rejects.toMatchObject(imageError('could not be fetched'));
  });

  test('measures an image as it arrives, and aborts if it is too large', async () => {
    const counted: number[] = [];
    const count = (bytes: number) => {
      if (counted.push(bytes) > 1) throw new RelayError(413, 'no room');
    };
    await fetcher.image(`${url}/picture`, count);
    expect(counted).toEqual([picture.length]);
    await expect(fetcher.image(`${url}/picture`, count)).rejects.toMatchObject({ status: 413, message: 'no room' });
  });
});

describe('[A21.1] internal addresses in every notation', () => {
  const { port } = new URL(url);

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '10.0.0.1',
    '172.16.5.4',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '168.63.129.16',
    '[::ffff:0:7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2001:0:1:2:3:4:80ff:fffe]',
    '[fec0::1]',
    '[ff02::1]',
    '[5f00::1]',
    '[4000::1]',
  ])('[A21.1] rejects the internal address %s', async (host) => {
    const before = seen.length;
    await expect(strict.image(`http://${host}:${port}/picture`)).rejects.toMatchObject(
      imageError('may not be fetched'),
    );
    expect(seen).toHaveLength(before);
  });

  test('rejects a name that resolves to an internal address', async () => {
    const before = seen.length;
    await expect(strict.image(`http://localhost:${port}/picture`)).rejects.toMatchObject(
      imageError('could not be fetched'),
    );
    expect(seen).toHaveLength(before);
  });

  test.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2001:4860:4860::8888'])(
    'accepts %s as a public address',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each(['', 'example.com', '::ffff:8.8.8.8.8', '::ffff:808:808', '2001:4860:4860::8888%1'])(
    'does not accept %j as a public address',
    (address) => {
      expect(isPublicAddress(address)).toBe(false);
    },
  );

  test.each([{ all: true }, { all: false }])(
    '[A21.2] rejects a name that resolves to no public address: %j',
    async (options) => {
      const reported = await new Promise<NodeJS.ErrnoException | null>((resolve) =>
        publicLookup('localhost', options, (error) => resolve(error)),
      );
      expect(reported?.code).toBe('ENOTFOUND');
    },
  );
});

describe('images of a request', () => {
  const images = () => new FetchedImages(fetcher, { take: () => undefined, cover: () => undefined });
  const requestWith = (...urls: string[]) =>
    ({
      messages: [
        { role: 'system', text: 'Be brief' },
        { role: 'user', parts: urls.map((address) => ({ type: 'image', image: { url: address } })) },
      ],
    }) as unknown as Parameters<typeof inlineImages>[0];

  test('fetches and embeds each image once', async () => {
    const before = seen.length;
    const { messages } = await inlineImages(requestWith(`${url}/one`, `${url}/two`, `${url}/one`), images());
    const inline = { type: 'image', image: { mediaType: 'image/png', data: picture.toString('base64') } };
    expect(messages).toEqual([
      { role: 'system', text: 'Be brief' },
      { role: 'user', parts: [inline, inline, inline] },
    ]);
    expect(seen.slice(before).toSorted()).toEqual(['/one', '/two']);
  });

  test('[A64.5] counts an image once per reference, across all channels', async () => {
    const taken: number[] = [];
    const memory = { take: (bytes: number) => void taken.push(bytes), cover: () => undefined };
    const fetched = new FetchedImages(fetcher, memory);
    const one = picture.toString('base64').length;
    const total = () => taken.reduce((sum, bytes) => sum + bytes, 0);
    await inlineImages(requestWith(`${url}/one`, `${url}/one`, `${url}/two`), fetched);
    expect(total()).toBe(3 * one);
    await inlineImages(requestWith(`${url}/one`, `${url}/one`, `${url}/two`), fetched);
    expect(total()).toBe(3 * one);
    await inlineImages(requestWith(...Array.from({ length: 50 }, () => `${url}/one`)), fetched);
    expect(total()).toBe(51 * one);
  });

  test('[A64.5] stops fetching an image when there is not enough memory for all references to it', async () => {
    let room = 1000 * picture.length;
    const take = (bytes: number) => {
      room -= bytes;
      if (room < 0) throw new RelayError(413, 'no room');
    };
    const requested = requestWith(...Array.from({ length: 1000 }, () => `${url}/one`));
    const pending = inlineImages(requested, new FetchedImages(fetcher, { take, cover: () => undefined }));
    await expect(pending).rejects.toMatchObject({ status: 413 });
  });

  test('fetches images in tool results', async () => {
    const requested = requestWith();
    const parts = [{ type: 'image' as const, image: { url: `${url}/one` } }];
    const result = { role: 'tool' as const, toolCallId: 't', text: '', parts };
    const { messages } = await inlineImages({ ...requested, messages: [...requested.messages, result] }, images());
    const inline = { type: 'image', image: { mediaType: 'image/png', data: picture.toString('base64') } };
    expect(messages.at(-1)).toEqual({ ...result, parts: [inline] });
  });

  test('rejects more than twenty images before fetching any', async () => {
    const before = seen.length;
    const urls = Array.from({ length: 21 }, (_, index) => `${url}/${index}`);
    await expect(inlineImages(requestWith(...urls), images())).rejects.toMatchObject({ status: 400 });
    expect(seen).toHaveLength(before);
  });
});

test('[A69.5] fetches images from a server that closes reused connections', async () => {
  for (let count = 0; count < 3; count += 1) expect((await fetcher.image(`${url}/once`)).bytes).toEqual(picture);
});
