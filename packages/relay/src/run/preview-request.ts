import { isKeyHeader, isPersonalHeader, isSecretHeader, type PreviewEndpoint } from '@headgate/contract';
import { singleMessageBody } from '@headgate/dialects';
import type { ClientHeaders } from '@headgate/providers';
import { maskKeys, withPlaceholderKeys } from '../guards/mask-secrets.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { FetchedImages } from '../prepare/fetched-images.ts';
import { type PrepareDependencies, prepareRequest } from '../prepare/prepare-request.ts';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { readRequest } from '../request/read-request.ts';
import { rejectUnpricedFields } from '../request/reject-unpriced-fields.ts';
import { failedAttempt } from './failed-attempt.ts';

interface SampleRequest extends Pick<PrepareDependencies, 'unpricedFieldsAllowed'> {
  readonly endpoint: PreviewEndpoint;
  readonly model: string;
  /** JSON; empty: a short chat. */
  readonly body: string;
  readonly headers: ClientHeaders;
}

/** A request that would be sent, without secrets. */
export interface PreviewedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** Names of the rules that applied. */
  readonly rules: string[];
}

const mask = '***';
/** Names of query parameters and headers whose values are secret. */
const secretName = /key|token|auth|sign|secret|credential/i;
const memory = { take: () => undefined, cover: () => undefined };
/** A preview uses no network: credentials are not exchanged, and images are not fetched. */
const credentials = { of: async () => mask };
const fetcher = { image: async () => ({ mediaType: 'image/png', bytes: Buffer.alloc(0) }) };

/** Prepares a sample request for a channel without sending it. Throws a RelayError if it would be rejected. */
export async function previewRequest(given: RelayChannel, sample: SampleRequest): Promise<PreviewedRequest> {
  const { unpricedFieldsAllowed } = sample;
  const channel = withPlaceholderKeys(given);
  try {
    const request = sampleRequest(sample);
    rejectUnpricedFields(request, unpricedFieldsAllowed);
    const images = new FetchedImages(fetcher, memory);
    const prepared = await prepareRequest(request, channel, { credentials, images, memory, unpricedFieldsAllowed });
    const { method, url, headers, body } = prepared.request;
    const shown = Object.entries(headers).map(([name, value]) => [
      name,
      maskHeader(name.toLowerCase(), value, channel),
    ]);
    return {
      method,
      url: maskUrl(url, channel),
      headers: Object.fromEntries(shown),
      body: maskKeys(String(body ?? ''), channel),
      rules: [...(prepared.rules?.names ?? [])],
    };
  } catch (error) {
    throw failedAttempt(error, channel).error;
  }
}

function sampleRequest({ endpoint, model, body, headers }: SampleRequest) {
  const bytes = Buffer.from(body.trim() === '' ? singleMessageBody(model, 'Hello') : body);
  const kind = body.trim() === '' ? endpointKinds.chat : endpointKinds[endpoint];
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return readRequest(kind, bytes, Object.fromEntries(lowerCase), endpoint === 'generateContent' ? { model } : {});
}

/** Shows only the text around the key; signatures and derived tokens are also secret. */
function maskHeader(name: string, value: string, channel: RelayChannel): string {
  const isSecret = [isKeyHeader, isPersonalHeader, isSecretHeader].some((is) => is(name)) || secretName.test(name);
  return isSecret && !value.includes(channel.key) ? mask : maskKeys(value, channel);
}

/** Masks keys and signatures in the query. */
function maskUrl(text: string, channel: RelayChannel): string {
  const url = URL.parse(text);
  const secret = [...(url?.searchParams.keys() ?? [])].filter((name) => secretName.test(name));
  for (const name of secret) url?.searchParams.set(name, mask);
  return maskKeys(url && secret.length > 0 ? url.href : text, channel);
}
