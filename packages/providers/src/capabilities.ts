import {
  type ChatField,
  type ChatHint,
  type ChatRequirement,
  type ConversationName,
  chatHints,
  chatRequirements,
  readChatRequest,
  UpstreamProblem,
} from '@headgate/dialects';

import type {
  ChatAdaptor,
  ParameterRanges,
  PassThrough,
  PerUpstream,
  Provider,
  UnsupportedFormats,
  Upstream,
} from './provider.ts';
import { toChatAdaptor } from './registry.ts';

export const capabilities = [
  'chat',
  'stream',
  'tools',
  'images in',
  'response_format',
  'reasoning',
  'embeddings',
  'rerank',
  'ocr',
  'images',
  'audio',
  'balance',
  'model list',
] as const;

export type Capability = (typeof capabilities)[number];

/**
 * Support levels: always; depending on the upstream's model, because the request passes unchanged; for some keys,
 * settings or models; not at all.
 */
export type SupportLevel = 'yes' | 'passed' | 'partly' | 'no';

export type SupportLevels = Readonly<Record<Capability, SupportLevel>>;

/** Capabilities of a provider, derived by examining every option that its row allows. */
export function supportLevels(provider: Provider): SupportLevels {
  const ways = waysOf(provider.chat, provider).filter(isOpen);
  const carries = (field: ChatField) => together(ways.map((way) => carriedBy(way, field)));
  return {
    chat: ways.length > 0 ? 'yes' : 'no',
    stream: together(ways.map((way) => (way.kind === 'pass' || way.stream ? 'yes' : 'no'))),
    tools: carries('tools'),
    'images in': carries('image_url'),
    response_format: carries('response_format'),
    reasoning: carries('reasoning_effort'),
    embeddings: provider.embeddings ? 'yes' : 'no',
    rerank: offeredBy(waysOf<unknown>(provider.rerank, provider)),
    ocr: provider.ocr ? 'yes' : 'no',
    images: provider.images ? 'yes' : 'no',
    audio: together([provider.speech, provider.transcriptions].map((endpoint) => (endpoint ? 'yes' : 'no'))),
    balance: provider.balance ? 'yes' : 'no',
    'model list': provider.modelList ? 'yes' : 'no',
  };
}

/** Fields that a provider drops or changes for at least some of its models. */
export interface DroppedFields {
  readonly dropped: readonly ChatHint[];
  readonly ranges: ParameterRanges;
  /** Types of `response_format` that are converted to an instruction in the prompt. */
  readonly instructed: readonly (keyof UnsupportedFormats)[];
}

export function droppedFields(provider: Provider): DroppedFields {
  const ways = waysOf(provider.chat, provider).filter(isOpen);
  const adaptors = ways.filter((way) => way.kind === 'convert');
  return {
    dropped: chatHints.filter((hint) => adaptors.some(({ takes }) => !takes.includes(hint))),
    ranges: ways.reduce<ParameterRanges>((narrowest, { ranges = {} }) => narrowerOf(narrowest, ranges), {}),
    instructed: (['json_schema', 'json_object'] as const).filter((type) => ways.some(({ lacks }) => lacks?.[type])),
  };
}

/** How often requests to an endpoint pass unchanged: always, for some keys, settings or models, or never. */
export const passThroughLevel = (provider: Provider, endpoint: ConversationName): SupportLevel =>
  together(
    waysOf<PassThrough | ChatAdaptor | undefined>(provider[endpoint], provider)
      .filter((way) => way === undefined || isOpen(way))
      .map((way) => (way?.kind === 'pass' ? 'yes' : 'no')),
  );

/**
 * Fields that cause a translated request to be rejected, or that are lost, for all or some of the provider's models.
 */
export function translationLosses(provider: Provider): Translation {
  const adaptors = waysOf(provider.chat, provider).filter(isOpen).map(toChatAdaptor);
  const lacking = (field: ChatField) => adaptors.filter(({ takes }) => !takes.includes(field)).length;
  const isAlways = (field: ChatField) => lacking(field) === adaptors.length;
  return {
    rejected: chatRequirements.filter(isAlways),
    sometimesRejected: chatRequirements.filter((field) => lacking(field) > 0 && !isAlways(field)),
    leftOut: chatHints.filter((field) => lacking(field) > 0),
  };
}

export interface Translation {
  readonly rejected: readonly ChatRequirement[];
  readonly sometimesRejected: readonly ChatRequirement[];
  readonly leftOut: readonly ChatHint[];
}

const offeredBy = (ways: readonly unknown[]): SupportLevel => together(ways.map((way) => (way ? 'yes' : 'no')));

/** Ranges that all options of a provider accept; argument order does not matter. */
function narrowerOf(some: ParameterRanges, others: ParameterRanges): ParameterRanges {
  const names = Object.keys({ ...some, ...others }) as (keyof ParameterRanges)[];
  return Object.fromEntries(
    names.map((name) => {
      const [min, max] = some[name] ?? everything;
      const [otherLeast, otherMost] = others[name] ?? everything;
      return [name, [Math.max(min, otherLeast), Math.min(max, otherMost)]];
    }),
  );
}

const everything = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

const gone = 410;

/** True if the upstream accepts requests; a discontinued upstream rejects all of them. */
function isOpen(way: PassThrough | ChatAdaptor): boolean {
  if (way.kind === 'pass') return true;
  try {
    way.encode(readChatRequest({ messages: [{ role: 'user', content: 'Hello' }] }), noUser);
    return true;
  } catch (error) {
    // Any other error is about the key, which this check does not set.
    return !(error instanceof UpstreamProblem && error.status === gone);
  }
}

function carriedBy(way: PassThrough | ChatAdaptor, field: ChatField): SupportLevel {
  if (way.kind === 'pass') return 'passed';
  return way.takes.includes(field) ? 'yes' : 'no';
}

function together(abilities: readonly SupportLevel[]): SupportLevel {
  const found = new Set(abilities);
  if (found.size === 0) return 'no';
  if (found.has('no')) return found.size === 1 ? 'no' : 'partly';
  return found.has('passed') ? 'passed' : 'yes';
}

/**
 * All endpoints that a provider may choose, for keys of each format, with and without a channel setting, for each of
 * its models.
 */
function waysOf<T>(endpoint: PerUpstream<T> | undefined, provider: Provider): readonly T[] {
  if (endpoint === undefined) return [];
  return isChoice(endpoint) ? [...new Set(sampleUpstreams(provider).map(endpoint))] : [endpoint];
}

/** Upstreams with keys of each format, with and without a channel setting, for each of a provider's models. */
export const sampleUpstreams = ({ baseUrl, models }: Provider): readonly Upstream[] =>
  keyShapes.flatMap((key) =>
    settings.flatMap((other) =>
      [...modelShapes, ...models].map((model) => ({ ...noUser, baseUrl, key, other, model, requestedModel: model })),
    ),
  );

const isChoice = <T>(endpoint: PerUpstream<T>): endpoint is (upstream: Upstream) => T => typeof endpoint === 'function';

/** A model name without a family, and one with a publisher. */
const modelShapes = ['a-model', 'house/a-model'];
const keyShapes = ['key', 'id.secret', 'one|two', 'one|two|three'];
const settings = ['', 'v1'];

const noUser: Upstream = {
  baseUrl: '',
  key: '',
  model: '',
  requestedModel: '',
  isStream: false,
  other: '',
  config: {},
  credential: '',
  largestBody: 10_000_000,
  now: 0,
  clientHeaders: {},
  nonce: '',
};
