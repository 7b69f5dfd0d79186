import {
  type ChatRequest,
  collectImageUrls,
  type JsonObject,
  modelField,
  withInlineImages,
  withReasoning,
} from '@headgate/dialects';
import {
  type ChatAdaptor,
  fitBody,
  fitRequest,
  type JsonAdaptor,
  type PassThrough,
  type PerUpstream,
  reasoningFields,
  toChatAdaptor,
} from '@headgate/providers';
import { maskCredential } from '../guards/mask-secrets.ts';
import type { RequestMemoryLimit } from '../ports/ports.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';
import { isConversation } from '../request/endpoint-kinds.ts';
import { stringify } from '../request/long-strings.ts';
import { writeForm } from '../request/read-form.ts';
import type { RelayRequest } from '../request/read-request.ts';
import type { AppliedRules } from '../rules/apply-rules.ts';
import type { Credentials } from '../upstream/credentials.ts';
import type { MissingEndpoints } from '../upstream/missing-endpoints.ts';
import type { UpstreamRequest } from '../upstream/upstream-exchange.ts';
import { maxUpstreamBodySize, providerFor, UpstreamView } from '../upstream/upstream-view.ts';
import type { FetchedImages } from './fetched-images.ts';
import { RuleApplication } from './rule-application.ts';

/** A request in the format of one channel's upstream. */
export interface PreparedRequest {
  readonly channel: RelayChannel;
  readonly view: UpstreamView;
  readonly wire: Wire;
  readonly request: UpstreamRequest;
  readonly systemPromptReset: boolean;
  /** Request fields that this upstream ignores. */
  readonly ignored: readonly string[];
  /** Absent: the channel has no rules. */
  readonly rules?: Pick<AppliedRules, 'statuses' | 'names'> | undefined;
}

export type Wire = PassThrough | ChatAdaptor | JsonAdaptor;

/** Network dependencies of preparing a request. */
export interface PrepareDependencies {
  readonly credentials: Pick<Credentials, 'of'>;
  /** Images that the request references. */
  readonly images: FetchedImages;
  /** Optional endpoints that servers lack; requests for them are translated. */
  readonly missing?: Pick<MissingEndpoints, 'has'> | undefined;
  readonly memory: Pick<RequestMemoryLimit, 'cover'>;
  /** Fields without a price that rules may write. */
  readonly unpricedFieldsAllowed: readonly string[];
}

/**
 * Asynchronous only if a credential, an image or a form is needed. Throws if the channel does not support the request.
 */
export function prepareRequest(
  request: RelayRequest,
  channel: RelayChannel,
  tools: PrepareDependencies,
): PreparedRequest | Promise<PreparedRequest> {
  const { model, isStream, headers, address, bytes } = request;
  const view = new UpstreamView(channel, { model, isStream, headers, query: address.query, bytes });
  const wire = wireOf(request, channel, { view, missing: tools.missing });
  const isPlain = wire.kind === 'pass' && !request.kind.isForm && !wire.images && !providerFor(channel).credential;
  const target = { channel, view, wire };
  return isPlain ? pass(request, { ...target, wire }, tools) : prepareInTime(request, target, tools);
}

type Target<W extends Wire = Wire> = Pick<PreparedRequest, 'channel' | 'view'> & { readonly wire: W };

async function prepareInTime(
  request: RelayRequest,
  { channel, view, wire }: Target,
  tools: PrepareDependencies,
): Promise<PreparedRequest> {
  const { credential } = providerFor(channel);
  if (credential) view.credential = (await tools.credentials.of(credential, view)) ?? '';
  maskCredential(channel, view.credential);
  if (wire.kind === 'pass')
    return request.kind.isForm
      ? passForm(request, { channel, view, wire }, tools)
      : pass(await inlinePassThroughImages(request, wire, tools.images), { channel, view, wire }, tools);
  const { body, isReset } = withSystemPrompt(request, channel, view);
  const { sent, ignored } = isChatAdaptor(wire)
    ? await encodeChat(wire, { ...request, body }, view, tools)
    : encodeJson(wire, body, view);
  tools.memory.cover(Buffer.byteLength(sent.body ?? ''));
  const rules = RuleApplication.of(request, channel, tools.unpricedFieldsAllowed);
  const ruled = rules?.encoded(sent) ?? { ...sent, body: sent.body };
  return { channel, view, wire, request: ruled, systemPromptReset: isReset, ignored, rules: rules?.applied };
}

export const isChatAdaptor = (wire: Wire): wire is ChatAdaptor => wire.kind === 'convert' && 'takes' in wire;

/** The upstream's native endpoint for the request; a conversation in another dialect is translated. */
function wireOf(
  { kind, address, earlier, model }: RelayRequest,
  channel: RelayChannel,
  { view, missing }: Pick<PrepareDependencies, 'missing'> & { readonly view: UpstreamView },
): Wire {
  const provider = providerFor(channel);
  const own = chosen(provider[kind.name], view);
  // A server that stored a response has the endpoint, and only that server can continue the response.
  const isMissing = own?.kind === 'pass' && own.isOptional && !earlier && missing?.has(channel, kind.name, model);
  // Requests events from the upstream; the JSON list is built from them.
  if (own && !isMissing && address.framing !== 'json-list') return own;
  const chat = isConversation(kind) && !kind.isNeverTranslated ? chosen(provider.chat, view) : undefined;
  if (!chat) throw new RelayError(400, `The channel's provider does not support ${kind.path}`, 'not_offered');
  return toChatAdaptor(chat);
}

const chosen = <T>(endpoint: PerUpstream<T> | undefined, view: UpstreamView): T | undefined =>
  typeof endpoint === 'function' ? (endpoint as (upstream: UpstreamView) => T)(view) : endpoint;

function pass(
  request: RelayRequest,
  { channel, view, wire }: Target<PassThrough>,
  tools: PrepareDependencies,
): PreparedRequest {
  const rules = RuleApplication.of(request, channel, tools.unpricedFieldsAllowed);
  const { bytes, systemPromptReset, ignored } = patchRequest(request, {
    channel,
    view,
    wire,
    ruleChanges: rules?.changes,
  });
  const { url, headers: own } = wire.send(view);
  const headers = {
    'content-type': 'application/json',
    accept: request.isStream ? 'text/event-stream' : 'application/json',
    ...own,
  };
  return {
    channel,
    view,
    wire,
    systemPromptReset,
    ignored,
    request: { method: 'POST', url, headers: rules?.headers(headers) ?? headers, body: bytes },
    ...(rules && { rules: rules.applied }),
  };
}

function passForm(
  request: RelayRequest,
  { channel, view, wire }: Target<PassThrough>,
  tools: PrepareDependencies,
): PreparedRequest {
  const rules = RuleApplication.of(request, channel, tools.unpricedFieldsAllowed);
  rules?.changes(request.body);
  const { bytes, contentType } = writeForm(request.form ?? [], view.model);
  const { url, headers: own } = wire.send(view);
  const headers = { 'content-type': contentType, ...own };
  const sent = { method: 'POST', url, headers: rules?.headers(headers) ?? headers, body: bytes };
  return { channel, view, wire, request: sent, systemPromptReset: false, ignored: [], rules: rules?.applied };
}

function withSystemPrompt(request: RelayRequest, channel: RelayChannel, view: UpstreamView) {
  const { changes, systemPromptReset } = patchRequest(request, { channel, view, wire: undefined });
  const body: JsonObject = systemPromptReset ? { ...request.body, ...changes } : request.body;
  return { body, isReset: systemPromptReset };
}

async function encodeChat(
  wire: ChatAdaptor,
  { kind, body, bytes, address, reasoning }: Pick<RelayRequest, 'kind' | 'body' | 'bytes' | 'address' | 'reasoning'>,
  view: UpstreamView,
  { images }: PrepareDependencies,
) {
  const given = kind.dialect.readRequest(body, address);
  const { request, ignored } = fitRequest(reasoning ? withReasoning(given, reasoning) : given, wire, view.model);
  const inlined = wire.inlinesImages ? await inlineImages(request, images) : request;
  view.largestBody = maxUpstreamBodySize(bytes.length + images.bytes);
  const sent = wire.encode(inlined, view);
  return { sent, ignored: [...new Set([...ignored, ...(wire.drops?.(request, view) ?? [])])] };
}

function encodeJson(wire: JsonAdaptor, body: JsonObject, view: UpstreamView) {
  return { sent: wire.encode(body, view), ignored: wire.drops?.(body, view) ?? [] };
}

/** Distinct images; each may be referenced more than once. */
const maxImages = 20;

/** The request with its referenced images embedded. */
export async function inlineImages(request: ChatRequest, images: FetchedImages): Promise<ChatRequest> {
  const urls = collectImageUrls(request);
  return urls.length === 0 ? request : withInlineImages(request, await fetchEach(urls, images));
}

/** Like `inlineImages`, for a request that is passed through. */
async function inlinePassThroughImages(
  request: RelayRequest,
  { images: pictures }: PassThrough,
  images: FetchedImages,
): Promise<RelayRequest> {
  const urls = pictures?.collectUrls(request.body) ?? [];
  if (!pictures || urls.length === 0) return request;
  const body = { ...request.body, ...pictures.withImages(request.body, await fetchEach(urls, images)) };
  return { ...request, body, bytes: stringify(body, request.longStrings) };
}

async function fetchEach(urls: readonly string[], images: FetchedImages) {
  const references = new Map<string, number>();
  for (const url of urls) {
    references.set(url, (references.get(url) ?? 0) + 1);
    if (references.size <= maxImages) continue;
    throw new RelayError(400, `A request may reference at most ${maxImages} images`, null, 'invalid_request_error');
  }
  const fetching = [...references].map(async ([url, count]) => [url, await images.image(url, count)] as const);
  return new Map(await Promise.all(fetching));
}

interface PatchedRequest {
  readonly changes: JsonObject;
  readonly bytes: Buffer;
  readonly systemPromptReset: boolean;
  /** Fields that were dropped or clamped to the upstream's range, to be reported to the client. */
  readonly ignored: readonly string[];
}

interface WriteTarget {
  readonly channel: RelayChannel;
  readonly view: UpstreamView;
  /** Undefined if the request is translated. */
  readonly wire: PassThrough | undefined;
  /** Fields to set by the channel's rules, in the upstream's format; a field set to undefined is removed. */
  readonly ruleChanges?: ((body: JsonObject) => JsonObject) | undefined;
}

/** The client's JSON with only the required changes; the original bytes if there are none. */
export function patchRequest(request: RelayRequest, { channel, view, wire, ruleChanges }: WriteTarget): PatchedRequest {
  const changes: Record<string, unknown> = {};
  if (view.model !== request.body[modelField]) changes[modelField] = view.model;
  const { kind, body } = request;
  const systemPromptReset = channel.systemPrompt !== '' && isConversation(kind);
  if (systemPromptReset) Object.assign(changes, kind.dialect.withSystemPrompt(body, channel.systemPrompt));
  if (!wire) return { changes, bytes: request.bytes, systemPromptReset, ignored: [] };
  if (request.reasoning) {
    const target = { model: view.model, features: wire.extraFeatures };
    Object.assign(changes, reasoningFields(kind.name, request.reasoning, body, target));
  }
  if (wire.rejectsStreamOptions) Object.assign(changes, kind.dialect.withoutUsageRequest?.(body));
  else if (request.isStream && !wire.watch && !request.wantsUsage) {
    Object.assign(changes, kind.dialect.requestUsage?.(body));
  }
  const { changes: fitted, ignored } = fitBody({ ...request.body, ...changes }, wire, view);
  Object.assign(changes, fitted);
  if (wire.patch) Object.assign(changes, wire.patch({ ...request.body, ...changes }, view));
  if (ruleChanges) Object.assign(changes, ruleChanges({ ...request.body, ...changes }));
  return { changes, bytes: apply(request, changes), systemPromptReset, ignored };
}

function apply({ body, bytes, longStrings }: RelayRequest, changes: JsonObject): Buffer {
  const names = Object.keys(changes);
  if (names.length === 0) return bytes;
  // A missing field is appended to the client's bytes, so that numbers and whitespace stay unchanged.
  const isAppend = names.every((name) => !Object.hasOwn(body, name)) && Object.keys(body).length > 0;
  if (!isAppend) return stringify({ ...body, ...changes }, longStrings);
  const added = JSON.stringify(changes).slice(1);
  if (added === '}') return bytes;
  const end = bytes.lastIndexOf('}');
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`,${added}`)]);
}
