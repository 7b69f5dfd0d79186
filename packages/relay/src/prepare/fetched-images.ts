import type { RequestMemory } from '../ports/ports.ts';
import type { PublicFetch } from '../upstream/upstream-fetch.ts';

/** A picture as it is written into a request. */
interface InlineImage {
  readonly mediaType: string;
  /** In base64. */
  readonly data: string;
}

/** The most bytes of all pictures of one request, which are held in memory. */
const mostBytes = 40 * 1024 * 1024;

/**
 * The pictures one request points at. Each address is fetched once, however many channels are tried, and counts until the
 * request ends as if it had come in its body.
 */
export class FetchedImages {
  readonly #fetcher: PublicFetch;
  readonly #memory: RequestMemory;
  #images: Map<string, Promise<InlineImage>> | undefined;
  #left = mostBytes;

  constructor(fetcher: PublicFetch, memory: RequestMemory) {
    this.#fetcher = fetcher;
    this.#memory = memory;
  }

  image(url: string): Promise<InlineImage> {
    this.#images ??= new Map();
    const known = this.#images.get(url);
    if (known !== undefined) return known;
    const image = this.#fetch(url);
    this.#images.set(url, image);
    return image;
  }

  async #fetch(url: string): Promise<InlineImage> {
    const { mediaType, bytes } = await this.#fetcher.image(url, (more) => this.#take(more));
    return { mediaType, data: bytes.toString('base64') };
  }

  /** False when the request points at more than it may. */
  #take(bytes: number): boolean {
    this.#left -= bytes;
    if (this.#left < 0) return false;
    this.#memory.take(Math.ceil((bytes * 4) / 3));
    return true;
  }
}
