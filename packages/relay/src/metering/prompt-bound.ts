import type { JsonObject } from '@headgate/dialects';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { contextWindowOf } from '../quota/context-windows.ts';
import { isConversation } from '../request/endpoint-kinds.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { encodingOf } from '../tokens/token-sum.ts';
import { requestAttachments } from './attachments.ts';

/** Template tokens that providers add around a conversation, and some also before the tools. */
const templateTokens = 100;
const toolTokens = 1000;
/** Maximum length of a number with an exponent when it is rewritten for another dialect. */
const maxNumberLength = 24;
/** No model has a larger context window. */
const maxPromptTokens = 10_000_000;

/**
 * Upper bound of prompt tokens. A token has at least one byte in every vocabulary, and in some texts each byte is a
 * token, so every byte of the body counts as a token.
 */
export function promptTokenBound(
  request: RelayRequest,
  channels: readonly RelayChannel[],
  attached = requestAttachments(request, channels),
): number {
  const { kind, bytes } = request;
  const system = isConversation(kind) ? systemPromptBytes(channels) : 0;
  const written = bytes.length + (request.exponents ?? 0) * maxNumberLength;
  const sent = written - attached.bytes + attached.tokens + system + ruleBytes(channels);
  const bound = sent + earlierBound(request, channels) + around(request) + bytesAgain(request);
  return Math.min(bound, maxPromptTokens) * readings(request);
}

/**
 * Token bound for an earlier response and everything before it, for any model; images count as for the model that
 * counts the most. Capped at the model's context window.
 */
const earlierBound = ({ earlier, model }: RelayRequest, channels: readonly RelayChannel[]): number => {
  if (!earlier) return 0;
  const counted = Math.ceil(earlier.tokens * othersCount) + earlier.attachedTokens;
  return Math.min(counted, maxReadableTokens(channels, model));
};

/** Number of times the whole prompt is read. */
const readings = ({ summarizesFirst }: RelayRequest): number => (summarizesFirst ? 2 : 1);

/** Bytes of the text that the model reads repeatedly, beyond the one copy in the body. */
function bytesAgain({ body, kind }: RelayRequest): number {
  const again = kind.readAgain?.(body);
  return again ? Buffer.byteLength(again.text) * (again.times - 1) : 0;
}

const around = ({ hasTools, kind }: RelayRequest): number => {
  if (!kind.hasTextOutput) return 0;
  return templateTokens + (hasTools ? toolTokens : 0);
};

/** At most three UTF-8 bytes per UTF-16 unit; a surrogate pair takes at most four. */
const systemPromptBytes = (channels: readonly RelayChannel[]): number =>
  channels.reduce((max, { systemPrompt }) => Math.max(max, systemPrompt.length * 3), 0);

/** Every byte that rules write may be a token. */
const ruleBytes = (channels: readonly RelayChannel[]): number =>
  channels.reduce((max, { rules }) => Math.max(max, rules?.writtenBytes ?? 0), 0);

/** Models that count exactly like our tokenizer; others may count more. */
const likeOpenAi = /^(?:ft:)?(?:gpt-(?!oss)|chatgpt-|o\d|text-|davinci|babbage)/;
const othersCount = 1.5;
/** Per message, and before the response. */
const tokensPerMessage = 4;

const turnsIn = (input: unknown): number => (Array.isArray(input) ? input.length : 1);

/** Number of messages to which the upstream adds a role: a bare text, or a message without a role. */
const turnsWithoutRole = (input: unknown, role: string): number =>
  Array.isArray(input) ? input.filter((turn) => typeof (turn as JsonObject | null)?.[role] !== 'string').length : 1;

/** A system prompt outside of the messages counts as a message. */
const separateSystemPrompts = ({ body, kind }: RelayRequest): number =>
  kind.dialect.prompt.otherFields.filter((name) => body[name] != null).length;

/** Factor on the tokenizer's count if the model's vocabulary is unknown. */
const vocabularyMargin = 1.1;
/**
 * Bytes per token that texts in common languages rarely fall below. OpenAI's vocabulary has longer tokens for
 * whitespace, rules and Indic scripts, which are several tokens in most other vocabularies.
 */
const othersBytesPerToken = 5;
/** Exact counts for OpenAI models: per message, and before the response. */
const exactPerMessage = 3;

/** Prompt tokens derived from the tokenizer's count of its texts. */
export interface PromptTokenEstimate {
  /** Expected tokens, with a margin of 10% if the vocabulary is not OpenAI's. */
  readonly expected: number;
  /** Upper bound that almost no vocabulary or chat template exceeds. */
  readonly bound: number;
}

/** `textBytes`: bytes of the texts that were counted. */
export function estimatePromptTokens(
  request: RelayRequest,
  channels: readonly RelayChannel[],
  counted: number,
  textBytes = 0,
): PromptTokenEstimate {
  const { body, kind, model } = request;
  const input = body[kind.input];
  const names = channels.map(({ modelMapping }) => modelMapping.get(model) || model);
  // An alias is counted with the vocabulary of its target.
  const isExact = (names.length > 0 ? names : [model]).every(
    (name) => likeOpenAi.test(name) && encodingOf(name) === encodingOf(model),
  );
  const byBytes = isExact ? 0 : Math.floor(textBytes / othersBytesPerToken);
  const turns = isConversation(kind) ? turnsIn(input) + separateSystemPrompts(request) : 0;
  const roles = isConversation(kind) ? turnsWithoutRole(input, kind.dialect.prompt.role) : 0;
  const attached = requestAttachments(request, channels);
  const beside =
    earlierBound(request, channels) +
    (around(request) > templateTokens ? toolTokens : 0) +
    attached.tokens +
    ruleBytes(channels) +
    bytesAgain(request);
  const max = promptTokenBound(request, channels, attached);
  const within = (texts: number) => Math.min((texts + beside) * readings(request), max);
  return {
    expected: within(
      Math.max(Math.floor(counted * (isExact ? 1 : vocabularyMargin)), byBytes) + (turns + 1) * exactPerMessage + roles,
    ),
    bound: within(
      Math.max(Math.ceil(counted * (isExact ? 1 : othersCount)), byBytes) +
        (turns + 1) * tokensPerMessage +
        (isExact ? 0 : templateTokens),
    ),
  };
}

/** Context window assumed for an unknown model: hardly any has a larger one. */
const usualWindow = 1_048_576;

/** Maximum prompt tokens that this model can read, on the channel with the largest context window. */
export const maxReadableTokens = (channels: readonly RelayChannel[], model: string): number =>
  channels.reduce((max, { modelMapping }) => Math.max(max, readableTokens(modelMapping.get(model) || model)), 0);

const readableTokens = (model: string): number => contextWindowOf(model) ?? usualWindow;
