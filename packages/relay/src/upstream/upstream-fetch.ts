import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import type { Agent } from 'undici';
import { isPublicAddress, publicLookup } from '../guards/public-address.ts';
import { RelayError } from '../ports/relay-error.ts';

const largestImage = 20 * 1024 * 1024;
const timeoutMs = 15_000;
const maxRedirects = 3;
/** Short, because each reference to the image repeats the media type in the request. */
const imageType = /^image\/[a-z0-9.+-]{1,50}$/;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface Fetched {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** Counts bytes as they arrive; throws if the limit is reached. */
type Counting = (bytes: number) => void;

/** Fetches user-supplied URLs: from the public internet only, with limits on size and time. */
export class PublicFetch {
  #agent: Agent | undefined;
  readonly #isOpen: (address: string) => boolean;

  /** Tests pass their own check to allow addresses of this machine. */
  constructor(isOpen: (address: string) => boolean = isPublicAddress) {
    this.#isOpen = isOpen;
  }

  async image(url: string, count: Counting = () => undefined): Promise<Fetched> {
    try {
      return await this.#follow(url, count, maxRedirects);
    } catch (error) {
      if (error instanceof RelayError) throw error;
      throw imageError('could not be fetched');
    }
  }

  async close(): Promise<void> {
    await this.#agent?.destroy();
  }

  async #follow(url: string, count: Counting, redirectsLeft: number): Promise<Fetched> {
    const { protocol, hostname } = new URL(url);
    const host = hostname.replace(/^\[|\]$/g, '');
    if (!/^https?:$/.test(protocol) || (isIP(host) !== 0 && !this.#isOpen(host)))
      throw imageError('may not be fetched');
    const { Agent, request } = await import('undici');
    const isGuarded = this.#isOpen === isPublicAddress;
    // Without keep-alive, because a server may close an idle connection just as it is reused.
    this.#agent ??= new Agent({ pipelining: 0, ...(isGuarded && { connect: { lookup: publicLookup } }) });
    const { statusCode, headers, body } = await request(url, {
      dispatcher: this.#agent,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'image/*' },
    });
    const { location } = headers;
    if (redirects.has(statusCode) && typeof location === 'string' && redirectsLeft > 0) {
      leave(body);
      return this.#follow(new URL(location, url).href, count, redirectsLeft - 1);
    }
    const mediaType = mediaTypeOf(headers['content-type']);
    if (statusCode !== 200 || !imageType.test(mediaType)) {
      leave(body);
      throw imageError(statusCode === 200 ? 'is not an image' : `returned status ${statusCode}`);
    }
    return { mediaType, bytes: await bytesOf(body, count) };
  }
}

/** Destroying an unread body emits an error, which needs a listener. */
const leave = (body: Readable) => body.on('error', () => undefined).destroy();

const mediaTypeOf = (header: string | string[] | undefined) =>
  String(header ?? '')
    .replace(/;.*/, '')
    .trim()
    .toLowerCase();

async function bytesOf(body: AsyncIterable<Buffer>, count: Counting): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > largestImage) throw imageError('is too large');
    count(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const imageError = (why: string) =>
  new RelayError(400, `An image of the request ${why}`, 'invalid_image_url', 'invalid_request_error');
