import type { JsonObject } from '@headgate/dialects';
import {
  type ByUpstream,
  type ChatAdaptor,
  chatAdaptorOf,
  fitRequest,
  type JsonAdaptor,
  type PassThrough,
} from '@headgate/providers';
import { addSecretCredential } from '../guards/mask-secrets.ts';
import type { RequestMemory } from '../ports/ports.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';
import { isConversation } from '../request/endpoint-kinds.ts';
import { writeForm } from '../request/read-form.ts';
import type { RelayRequest } from '../request/read-request.ts';
import type { Credentials } from '../upstream/credentials.ts';
import type { MissingEndpoints } from '../upstream/missing-endpoints.ts';
import type { UpstreamRequest } from '../upstream/upstream-exchange.ts';
import { maxUpstreamBodySize, providerOf, UpstreamView } from '../upstream/upstream-view.ts';
import type { FetchedImages } from './fetched-images.ts';
import { inlineImages, inlinePassThroughImages } from './inline-images.ts';
import { patchRequest } from './write-request.ts';

/** A request in the format of one channel's upstream. */
export interface PreparedRequest {
  readonly channel: RelayChannel;
  readonly view: UpstreamView;
  readonly wire: Wire;
  readonly request: UpstreamRequest;
  readonly systemPromptReset: boolean;
  /** Request fields that this upstream ignores; it responds anyway. */
  readonly ignored: readonly string[];
}

export type Wire = PassThrough | ChatAdaptor | JsonAdaptor;

/** Network dependencies of preparing a request. */
export interface PrepareDependencies {
  readonly credentials: Credentials;
  /** Images that the request references. */
  readonly images: FetchedImages;
  /** Optional endpoints that servers lack; requests for them are translated. */
  readonly missing?: Pick<MissingEndpoints, 'has'> | undefined;
  readonly memory: Pick<RequestMemory, 'cover'>;
}

/**
 * Asynchronous only when a credential, an image or a form is needed. Throws when the channel does not support the
 * request.
 */
export function prepareRequest(
  request: RelayRequest,
  channel: RelayChannel,
  tools: PrepareDependencies,
): PreparedRequest | Promise<PreparedRequest> {
  const { model, isStream, headers, address, bytes } = request;
  const view = new UpstreamView(channel, { model, isStream, headers, query: address.query, bytes });
  const wire = wireOf(request, channel, { view, missing: tools.missing });
  const isPlain = wire.kind === 'pass' && !request.kind.isForm && !wire.images && !providerOf(channel).credential;
  return isPlain ? pass(request, wire, view, channel) : prepareInTime(request, { channel, view, wire }, tools);
}

async function prepareInTime(
  request: RelayRequest,
  { channel, view, wire }: Pick<PreparedRequest, 'channel' | 'view' | 'wire'>,
  tools: PrepareDependencies,
): Promise<PreparedRequest> {
  const { credential } = providerOf(channel);
  if (credential) view.credential = (await tools.credentials.of(credential, view)) ?? '';
  addSecretCredential(channel, view.credential);
  if (wire.kind === 'pass')
    return request.kind.isForm
      ? passForm(request, wire, view, channel)
      : pass(await inlinePassThroughImages(request, wire, tools.images), wire, view, channel);
  const { body, isReset } = withSystemPrompt(request, channel, view);
  const { sent, ignored } = isChatAdaptor(wire)
    ? await encodeChat(wire, { ...request, body }, view, tools)
    : encodeJson(wire, body, view);
  tools.memory.cover(Buffer.byteLength(sent.body ?? ''));
  return { channel, view, wire, request: { ...sent, body: sent.body }, systemPromptReset: isReset, ignored };
}

export const isChatAdaptor = (wire: Wire): wire is ChatAdaptor => wire.kind === 'convert' && 'takes' in wire;

/** The upstream's native endpoint for the request; a conversation in another dialect is translated. */
function wireOf(
  { kind, address, earlier, model }: RelayRequest,
  channel: RelayChannel,
  { view, missing }: Pick<PrepareDependencies, 'missing'> & { readonly view: UpstreamView },
): Wire {
  const provider = providerOf(channel);
  const own = chosen(provider[kind.name], view);
  // A server that stored a response has the endpoint, and only that server can continue the response.
  const isMissing = own?.kind === 'pass' && own.isOptional && !earlier && missing?.has(channel, kind.name, model);
  // Upstreams are requested to send events; the JSON list is built here.
  if (own && !isMissing && address.framing !== 'json-list') return own;
  const chat = isConversation(kind) && !kind.isNeverTranslated ? chosen(provider.chat, view) : undefined;
  if (!chat) throw new RelayError(400, `The channel's provider does not support ${kind.path}`, 'not_offered');
  return chatAdaptorOf(chat);
}

const chosen = <T>(endpoint: ByUpstream<T> | undefined, view: UpstreamView): T | undefined =>
  typeof endpoint === 'function' ? (endpoint as (upstream: UpstreamView) => T)(view) : endpoint;

function pass(request: RelayRequest, wire: PassThrough, view: UpstreamView, channel: RelayChannel): PreparedRequest {
  const { bytes, systemPromptReset, ignored } = patchRequest(request, { channel, view, wire });
  const { url, headers } = wire.send(view);
  return {
    channel,
    view,
    wire,
    systemPromptReset,
    ignored,
    request: {
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        accept: request.isStream ? 'text/event-stream' : 'application/json',
        ...headers,
      },
      body: bytes,
    },
  };
}

function passForm(
  request: RelayRequest,
  wire: PassThrough,
  view: UpstreamView,
  channel: RelayChannel,
): PreparedRequest {
  const { bytes, contentType } = writeForm(request.form ?? [], view.model);
  const { url, headers } = wire.send(view);
  const sent = { method: 'POST', url, headers: { 'content-type': contentType, ...headers }, body: bytes };
  return { channel, view, wire, request: sent, systemPromptReset: false, ignored: [] };
}

function withSystemPrompt(request: RelayRequest, channel: RelayChannel, view: UpstreamView) {
  const { changes, systemPromptReset } = patchRequest(request, { channel, view, wire: undefined });
  const body: JsonObject = systemPromptReset ? { ...request.body, ...changes } : request.body;
  return { body, isReset: systemPromptReset };
}

async function encodeChat(
  wire: ChatAdaptor,
  { kind, body, bytes, address }: Pick<RelayRequest, 'kind' | 'body' | 'bytes' | 'address'>,
  view: UpstreamView,
  { images }: PrepareDependencies,
) {
  const { request, ignored } = fitRequest(kind.dialect.readRequest(body, address), wire, view.model);
  const inlined = wire.inlinesImages ? await inlineImages(request, images) : request;
  view.largestBody = maxUpstreamBodySize(bytes.length + images.bytes);
  const sent = wire.encode(inlined, view);
  return { sent, ignored: [...new Set([...ignored, ...(wire.drops?.(request, view) ?? [])])] };
}

function encodeJson(wire: JsonAdaptor, body: JsonObject, view: UpstreamView) {
  return { sent: wire.encode(body, view), ignored: wire.drops?.(body, view) ?? [] };
}
