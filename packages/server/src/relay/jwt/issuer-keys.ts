import { stripTrailingSlash } from '@headgate/contract';
import type { JSONWebKeySet, LocalJWKSet } from 'jose';
import { jsonFields, OutgoingError, requestJson, stringField } from '../../platform/outgoing/request-json.ts';
import type { AcceptedIssuer } from './jwt-issuer-table.ts';

/** Loaded on first use: most gateways never need it. */
const library = () => import('jose');

const minute = 60_000;
/** After this time, the keys are read again. */
const maxAgeMs = 5 * minute;
/** How long keys stay usable while they cannot be read again. */
const maxStaleMs = 60 * minute;
/** Pause after a failed read. */
const retryMs = 5000;
/** Reads for unknown key ids within `maxAgeMs`: enough for key rotations, and few for guessed ids. */
const maxRefreshes = 5;
const maxRemembered = 500;
/** Keys of one issuer; large providers publish about ten. */
const maxKeys = 100;

type KeySource = Pick<AcceptedIssuer, 'issuer' | 'keys_url' | 'isPublicOnly'>;

interface Entry {
  keys: LocalJWKSet | undefined;
  readMs: number;
  failedMs: number;
  failure: unknown;
  /** Times of reads for unknown key ids. */
  refreshes: readonly number[];
  reading: Promise<void> | undefined;
}

/** Published keys of issuers (JWKS). Requests share one read, and unknown key ids cause few reads. */
export class IssuerKeys {
  readonly #entries = new Map<string, Entry>();
  readonly #onFailure: (issuer: string, error: unknown) => void;
  readonly #now: () => number;

  /** `now` is a monotonic clock, in milliseconds. */
  constructor(onFailure: (issuer: string, error: unknown) => void, now: () => number = () => performance.now()) {
    this.#onFailure = onFailure;
    this.#now = now;
  }

  /** Finds a key; if there is none, the keys are read again and `find` runs a second time. */
  async use<T>(source: KeySource, find: (keys: LocalJWKSet) => Promise<T>): Promise<T> {
    const { errors } = await library();
    const entry = this.#entryOf(source);
    const keys = await this.#current(entry, source);
    try {
      return await find(keys);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const fresh = await this.#refreshed(entry, source, keys);
      if (!fresh) throw error;
      return find(fresh);
    }
  }

  #entryOf({ issuer, keys_url, isPublicOnly }: KeySource): Entry {
    // Keys read from a private address are not used for an issuer that must be public.
    const id = JSON.stringify([isPublicOnly, issuer, keys_url]);
    const known = this.#entries.get(id);
    if (known) return known;
    const entry: Entry = {
      keys: undefined,
      readMs: 0,
      failedMs: Number.NEGATIVE_INFINITY,
      failure: undefined,
      refreshes: [],
      reading: undefined,
    };
    this.#entries.set(id, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxRemembered && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }

  async #current(entry: Entry, source: KeySource): Promise<LocalJWKSet> {
    if (entry.keys && this.#now() - entry.readMs < maxAgeMs) return entry.keys;
    await this.#read(entry, source);
    if (entry.keys && this.#now() - entry.readMs < maxStaleMs) return entry.keys;
    throw entry.failure;
  }

  /** Newer keys than the given ones; undefined if there are none. */
  async #refreshed(entry: Entry, source: KeySource, keys: LocalJWKSet): Promise<LocalJWKSet | undefined> {
    if (entry.keys === keys) {
      const now = this.#now();
      entry.refreshes = entry.refreshes.filter((time) => now - time < maxAgeMs);
      if (!entry.reading) {
        if (entry.refreshes.length >= maxRefreshes) return undefined;
        entry.refreshes = [...entry.refreshes, now];
      }
      await this.#read(entry, source);
    }
    return entry.keys === keys ? undefined : entry.keys;
  }

  /** Never rejects; a failure is stored in the entry. */
  #read(entry: Entry, source: KeySource): Promise<void> {
    if (!entry.reading && this.#now() - entry.failedMs < retryMs) return Promise.resolve();
    entry.reading ??= readKeys(source)
      .then((keys) => {
        entry.keys = keys;
        entry.readMs = this.#now();
      })
      .catch((error: unknown) => {
        entry.failure = error;
        entry.failedMs = this.#now();
        this.#onFailure(source.issuer, error);
      })
      .finally(() => {
        entry.reading = undefined;
      });
    return entry.reading;
  }
}

async function readKeys(source: KeySource): Promise<LocalJWKSet> {
  const { createLocalJWKSet } = await library();
  const { isPublicOnly } = source;
  const url = source.keys_url === '' ? await discoverKeys(source) : source.keys_url;
  const fields = jsonFields(await requestJson(url, { isPublicOnly }));
  const { keys } = fields;
  if (!Array.isArray(keys) || keys.length > maxKeys)
    throw new OutgoingError('unreadable', 'the response is not a key set, or has too many keys');
  try {
    // Not parsed here: the library validates the key set.
    return createLocalJWKSet({ keys } as unknown as JSONWebKeySet);
  } catch {
    throw new OutgoingError('unreadable', 'the response is not a key set');
  }
}

async function discoverKeys({ issuer, isPublicOnly }: KeySource): Promise<string> {
  const address = `${stripTrailingSlash(issuer)}/.well-known/openid-configuration`;
  const fields = jsonFields(await requestJson(address, { isPublicOnly }));
  // Otherwise one issuer could impersonate another.
  if (stringField(fields, 'issuer') !== issuer) throw new OutgoingError('unreadable', 'the issuer does not match');
  return stringField(fields, 'jwks_uri');
}
