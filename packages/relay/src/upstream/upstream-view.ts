import { randomUUID } from 'node:crypto';
import { type ClientHeaders, clientHeadersFor, type Provider, providers, type Upstream } from '@headgate/providers';
import type { RelayChannel } from '../ports/relay-channel.ts';

interface RequestedUpstream {
  /** The model as named by the client. */
  readonly model: string;
  readonly isStream: boolean;
  readonly headers?: ClientHeaders;
  readonly query?: string | undefined;
  /** Bytes of the client body. */
  readonly bytes?: Buffer;
}

const megabyte = 1024 * 1024;

/**
 * Maximum size of an upstream body: twice the client body and its images, because escapes grow when JSON is nested in
 * a string, plus 16 MB for the parts that translation adds.
 */
export const maxUpstreamBodySize = (bytes: number): number => 2 * bytes + 16 * megabyte;

/** A channel as seen by its provider's adaptor. */
export class UpstreamView implements Upstream {
  readonly #channel: RelayChannel;
  readonly baseUrl: string;
  readonly model: string;
  readonly requestedModel: string;
  readonly isStream: boolean;
  readonly #headers: ClientHeaders;
  readonly query: string | undefined;
  /** Grows with the images that are fetched for the request. */
  largestBody: number;
  credential = '';

  constructor(channel: RelayChannel, { model, isStream, headers = {}, query, bytes }: RequestedUpstream) {
    this.query = query;
    this.largestBody = maxUpstreamBodySize(bytes?.length ?? 0);
    this.#channel = channel;
    this.baseUrl = channel.baseUrl || providerFor(channel).baseUrl;
    this.model = channel.modelMapping.get(model) || model;
    this.requestedModel = model;
    this.isStream = isStream;
    this.#headers = headers;
  }

  get key(): string {
    return this.#channel.key;
  }

  get other(): string {
    return this.#channel.other;
  }

  get config(): Readonly<Record<string, string>> {
    return this.#channel.config;
  }

  get clientHeaders(): Readonly<Record<string, string>> {
    return clientHeadersFor(providerFor(this.#channel), this.#headers);
  }

  get proxy(): RelayChannel['proxy'] {
    return this.#channel.proxy;
  }

  get now(): number {
    return Date.now();
  }

  get nonce(): string {
    return randomUUID();
  }
}

const noUser: Provider = { baseUrl: '', models: [] };

/** An unknown channel type supports nothing. */
export const providerFor = ({ type }: RelayChannel): Provider => providers[type as keyof typeof providers] ?? noUser;
