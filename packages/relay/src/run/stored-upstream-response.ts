import { createKeyLeakFilter } from '../guards/key-leak-filter.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';
import { type BufferShare, bufferWholeResponse } from '../upstream/response-buffer.ts';
import { providerFor, UpstreamView } from '../upstream/upstream-view.ts';
import { failedAttempt, upstreamErrorOf } from './failed-attempt.ts';
import type { UpstreamServices } from './upstream-services.ts';

interface StoredResponseCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path of the stored response or a part of it, relative to the collection URL. */
  readonly below: string;
  /** Without a question mark; empty: none. */
  readonly query: string;
  /** Memory for the response, released by its owner when the client has read everything. */
  readonly share: BufferShare;
  /** Aborts when the client disconnects. */
  readonly gone: AbortSignal;
}

const timeoutMs = 60_000;

/** Reads or deletes a response stored by a channel's upstream; returns the JSON without keys. */
export async function requestStoredResponse(
  services: UpstreamServices,
  channel: RelayChannel,
  call: StoredResponseCall,
): Promise<Buffer> {
  const view = new UpstreamView(channel, { model: '', isStream: false });
  const { responses } = providerFor(channel);
  const wire = typeof responses === 'function' ? responses(view) : responses;
  if (!wire?.storedResponse)
    throw new RelayError(400, "The channel's provider does not store responses", 'not_offered');
  const { url, headers } = wire.storedResponse(view, call.below);
  const request = { method: call.method, url: call.query === '' ? url : `${url}?${call.query}`, headers };
  try {
    const ended = AbortSignal.any([call.gone, AbortSignal.timeout(timeoutMs)]);
    const response = await services.upstreams.open(request, ended, channel);
    if (response.status !== 200) throw await upstreamErrorOf(wire, response);
    return createKeyLeakFilter(channel).mask(await bufferWholeResponse(response, call.share));
  } catch (error) {
    throw error instanceof RelayError ? error : failedAttempt(error, channel).error;
  }
}
