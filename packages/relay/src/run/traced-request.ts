import type { AttemptEnd } from '../ports/call-trace.ts';
import type { PreparedRequest } from '../prepare/prepare-request.ts';
import type { UpstreamRequest } from '../upstream/upstream-exchange.ts';

/** Returns the request itself if nothing is added. */
export const withHeaders = (request: UpstreamRequest, more: UpstreamRequest['headers'] | undefined): UpstreamRequest =>
  more === undefined ? request : { ...request, headers: { ...request.headers, ...more } };

export const sentRequestOf = (prepared: PreparedRequest | undefined): AttemptEnd['sent'] =>
  prepared && { url: prepared.request.url, model: prepared.view.model };
