import type { RequestMemoryLimit } from '../ports/ports.ts';
import type { PublicFetch } from '../upstream/upstream-fetch.ts';

/** An image that is embedded in a request. */
interface InlineImage {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

interface Fetching {
  image: Promise<InlineImage>;
  /** Number of references to the image in the request. */
  references: number;
  counted: number;
}

/**
 * Images that one request references by URL. Each URL is fetched once, however many channels are tried. Each
 * reference counts towards memory until the request ends, as if the image were in the body.
 */
export class FetchedImages {
  readonly #fetcher: Pick<PublicFetch, 'image'>;
  readonly #memory: RequestMemoryLimit;
  #images: Map<string, Fetching> | undefined;
  bytes = 0;

  constructor(fetcher: Pick<PublicFetch, 'image'>, memory: RequestMemoryLimit) {
    this.#fetcher = fetcher;
    this.#memory = memory;
  }

  /** Rejects while the image is being fetched, as soon as there is not enough memory for all of its references. */
  async image(url: string, references: number): Promise<InlineImage> {
    this.#images ??= new Map();
    const fetching = this.#images.get(url) ?? this.#fetch(url, references);
    this.#images.set(url, fetching);
    fetching.references = Math.max(fetching.references, references);
    const image = await fetching.image;
    this.#count(fetching, image.data.length * fetching.references - fetching.counted);
    return image;
  }

  #fetch(url: string, references: number): Fetching {
    const fetching: Fetching = { image: Promise.resolve(noImage), references, counted: 0 };
    fetching.image = this.#fetcher
      .image(url, (more) => this.#count(fetching, base64Length(more) * fetching.references))
      .then(({ mediaType, bytes }) => ({ mediaType, data: bytes.toString('base64') }));
    return fetching;
  }

  #count(fetching: Fetching, bytes: number): boolean {
    if (bytes <= 0) return true;
    this.#memory.take(bytes);
    fetching.counted += bytes;
    this.bytes += bytes;
    return true;
  }
}

const noImage: InlineImage = { mediaType: '', data: '' };
const base64Length = (bytes: number): number => Math.ceil((bytes * 4) / 3);
