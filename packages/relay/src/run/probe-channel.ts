import { parseJson, responseText, singleMessageBody } from '@headgate/dialects';
import type { DisconnectSignal } from '../ports/client-sink.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';
import { FetchedImages } from '../prepare/fetched-images.ts';
import { type PrepareDependencies, type PreparedRequest, prepareRequest } from '../prepare/prepare-request.ts';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { type RelayRequest, readRequest } from '../request/read-request.ts';
import { readWholeResponse } from '../response/whole-response.ts';
import { UpstreamConnectionError } from '../upstream/upstream-exchange.ts';
import { failedAttempt, upstreamErrorOf } from './failed-attempt.ts';
import type { UpstreamServices } from './upstream-services.ts';

const question = 'Output only your specific model name with no additional text.';

/** No memory accounting, because a probe's prompt is short and has no images. */
const memory = { take: () => undefined, cover: () => undefined };

interface ProbeOptions extends Pick<PrepareDependencies, 'unpricedFieldsAllowed'> {
  readonly signal: DisconnectSignal;
}

interface FailedProbe {
  /** Upstream status; 0 without a response. */
  readonly status: number;
  readonly error: RelayError;
}

/** Sends one small request to a channel; returns the response or the reason for the failure. */
export async function probeChannel(
  services: UpstreamServices,
  channel: RelayChannel,
  model: string,
  { signal, unpricedFieldsAllowed }: ProbeOptions,
): Promise<string | FailedProbe> {
  const body = singleMessageBody(model, question);
  const request = readRequest(endpointKinds.chat, Buffer.from(body));
  const way: { prepared?: PreparedRequest } = {};
  try {
    const images = new FetchedImages(services.fetcher, memory);
    const { credentials } = services;
    way.prepared = await prepareRequest(request, channel, { credentials, images, memory, unpricedFieldsAllowed });
    return await probeResponse(services, request, way.prepared, signal);
  } catch (error) {
    if (error instanceof UpstreamConnectionError) {
      const message = signal.aborted ? 'no response in time' : error.message;
      return { status: 0, error: new RelayError(502, message, 'upstream_unreachable') };
    }
    const { status, error: rejection } = failedAttempt(error, channel);
    if (status === 401 && way.prepared) services.credentials.forget(way.prepared.view);
    return { status, error: rejection };
  }
}

async function probeResponse(
  { upstreams, gathering }: UpstreamServices,
  request: RelayRequest,
  prepared: PreparedRequest,
  signal: DisconnectSignal,
) {
  const response = await upstreams.open(prepared.request, signal, prepared.channel);
  if (response.status !== 200) throw await upstreamErrorOf(prepared.wire, response);
  using share = gathering.share();
  const reply = await readWholeResponse({ request, prepared, requestId: 'test', upstreams, signal, share }, response);
  if ('body' in reply) return responseIn(reply.body);
  response.abort();
  throw new RelayError(502, 'The response is too long', 'bad_response');
}

function responseIn(body: Buffer): string {
  const text = responseText(parseJson(body.toString('utf8')));
  if (text === undefined) throw new RelayError(502, 'The response has no text', 'bad_response');
  return text;
}
