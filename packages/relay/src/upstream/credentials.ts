import { createHash } from 'node:crypto';
import { parseJson, UpstreamProblem } from '@headgate/dialects';
import { type CredentialExchange, defaultProblem } from '@headgate/providers';
import { collectBody } from './collect.ts';
import type { Upstreams } from './upstream.ts';
import type { UpstreamView } from './upstream-view.ts';

interface CachedCredential {
  readonly value: Promise<string>;
  /** Milliseconds since 1970; infinite while the exchange is running. */
  staleAt: number;
}

const maxResponseBytes = 256 * 1024;
/** Renewed slightly before it expires, so that it does not expire in transit. */
const slackMs = 300_000;
const timeoutMs = 15_000;
const maxCached = 10_000;

/**
 * Short-lived credentials, by the key they were derived from: a channel with a new key never uses the old key's
 * credential.
 */
export class Credentials {
  readonly #upstreams: Upstreams;
  readonly #kept = new Map<string, CachedCredential>();

  constructor(upstreams: Upstreams) {
    this.#upstreams = upstreams;
  }

  /** Undefined if the channel's key is used directly. */
  of(exchange: CredentialExchange | undefined, view: UpstreamView): Promise<string> | undefined {
    if (!exchange) return undefined;
    const name = nameOf(view);
    const known = this.#kept.get(name);
    if (known && known.staleAt > view.now) return known.value;
    if (!exchange.request(view)) return undefined;
    if (this.#kept.size >= maxCached) this.#kept.clear();
    const kept: CachedCredential = { staleAt: Number.POSITIVE_INFINITY, value: this.#exchange(exchange, view, name) };
    this.#kept.set(name, kept);
    return kept.value;
  }

  /** Called when the upstream rejected the credential. */
  forget(view: UpstreamView): void {
    this.#kept.delete(nameOf(view));
  }

  async #exchange(exchange: CredentialExchange, view: UpstreamView, name: string): Promise<string> {
    try {
      const request = exchange.request(view);
      if (!request) return '';
      const response = await this.#upstreams.open(request, AbortSignal.timeout(timeoutMs), { proxy: view.proxy });
      const body = parseJson((await collectBody(response, maxResponseBytes)).toString('utf8'));
      if (response.status !== 200) {
        const { message, code } = defaultProblem(response.status, body, 'The upstream returned no credential');
        // An error of the exchange means that the key was rejected.
        throw new UpstreamProblem(response.status >= 500 ? response.status : 401, message, code);
      }
      const { credential, seconds } = exchange.read(body);
      const kept = this.#kept.get(name);
      if (kept) kept.staleAt = view.now + Math.max(seconds * 1000 - slackMs, seconds * 500);
      return credential;
    } catch (error) {
      this.#kept.delete(name);
      if (error instanceof TypeError) throw new UpstreamProblem(502, 'The upstream returned no credential');
      throw error;
    }
  }
}

const nameOf = ({ baseUrl, key, config }: UpstreamView) =>
  createHash('sha256')
    .update(JSON.stringify([baseUrl, key, config]))
    .digest('base64');
