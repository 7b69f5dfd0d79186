import type { JsonObject } from '@headgate/dialects';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { isConversation } from '../request/endpoint-kinds.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { encodingOf } from '../tokens/encoding.ts';
import { attachmentsOf } from './attachments.ts';
import { readableTokensOn } from './readable-tokens.ts';

/** What providers put around a conversation, and what some put before its tools. */
const templateTokens = 100;
const toolTokens = 1000;
/** Characters of a number that came with an exponent, when it is written anew for another dialect. */
const longestNumber = 24;
/** No model reads more. */
const longestPrompt = 10_000_000;

/**
 * No prompt has more tokens than this. A token is one byte at least, in every vocabulary, and there are texts of which
 * each byte is a token; so everything in the body counts by its bytes, whatever field it stands in.
 */
export function promptBound(
  request: RelayRequest,
  channels: readonly RelayChannel[],
  attached = attachmentsOf(request, channels),
): number {
  const { kind, bytes } = request;
  const system = isConversation(kind) ? systemPromptBytes(channels) : 0;
  const written = bytes.length + (request.exponents ?? 0) * longestNumber;
  const sent = written - attached.bytes + attached.tokens + system;
  const bound = sent + earlierBound(request, channels) + around(request) + bytesAgain(request);
  return Math.min(bound, longestPrompt) * readings(request);
}

/**
 * What an earlier answer and all before it counts to any model, pictures in it as to the one that counts them dearest; no more
 * than the model can read.
 */
const earlierBound = ({ earlier, model }: RelayRequest, channels: readonly RelayChannel[]): number => {
  if (!earlier) return 0;
  const counted = Math.ceil(earlier.tokens * othersCount) + earlier.attachedTokens;
  return Math.min(counted, readableTokensOn(channels, model));
};

/** How often all of it is read. */
const readings = ({ summarizesFirst }: RelayRequest): number => (summarizesFirst ? 2 : 1);

/** The body holds it once. */
function bytesAgain({ body, kind }: RelayRequest): number {
  const again = kind.readAgain?.(body);
  return again ? Buffer.byteLength(again.text) * (again.times - 1) : 0;
}

const around = ({ hasTools, kind }: RelayRequest): number => {
  if (!kind.answersText) return 0;
  return templateTokens + (hasTools ? toolTokens : 0);
};

/** Three for each place: no character of two places takes more than four. */
const systemPromptBytes = (channels: readonly RelayChannel[]): number =>
  channels.reduce((most, { systemPrompt }) => Math.max(most, systemPrompt.length * 3), 0);

/** OpenAI's own count as the tokenizer here; that of others may be higher. */
const likeOpenAi = /^(?:ft:)?(?:gpt-(?!oss)|chatgpt-|o\d|text-|davinci|babbage)/;
const othersCount = 1.5;
/** Around each message, and before the answer. */
const tokensPerMessage = 4;

const turnsIn = (input: unknown): number => (Array.isArray(input) ? input.length : 1);

/** Turns whose role the upstream adds: a bare text, or a message without one. */
const turnsWithoutRole = (input: unknown, role: string): number =>
  Array.isArray(input) ? input.filter((turn) => typeof (turn as JsonObject | null)?.[role] !== 'string').length : 1;

/** A system prompt that stands beside the messages is one itself. */
const fieldsBeside = ({ body, kind }: RelayRequest): number =>
  kind.dialect.prompt.beside.filter((name) => body[name] != null).length;

/** Of the tokenizer's count, where the model's own vocabulary is unknown. */
const vocabularyMargin = 1.1;
/**
 * Bytes of a token that texts of the usual languages hardly reach. OpenAI's vocabulary has longer tokens for blanks, rules and
 * Indic scripts, which take several in most others.
 */
const othersBytesPerToken = 5;
/** As OpenAI counts: around each message, and before the answer. */
const exactPerMessage = 3;

/** How many tokens a prompt has, given how many its texts have by the tokenizer. */
export interface CountedPrompt {
  /** What it is expected to have, with a margin of a tenth where the vocabulary is not OpenAI's. */
  readonly expected: number;
  /** Hardly any vocabulary or chat template makes more of it. */
  readonly bound: number;
}

/** `textBytes`: of the texts that were counted. */
export function countedPrompt(
  request: RelayRequest,
  channels: readonly RelayChannel[],
  counted: number,
  textBytes = 0,
): CountedPrompt {
  const { body, kind, model } = request;
  const input = body[kind.input];
  const names = channels.map(({ modelMapping }) => modelMapping.get(model) || model);
  // An alias is counted with the vocabulary of its own name.
  const isExact = (names.length > 0 ? names : [model]).every(
    (name) => likeOpenAi.test(name) && encodingOf(name) === encodingOf(model),
  );
  const byBytes = isExact ? 0 : Math.floor(textBytes / othersBytesPerToken);
  const turns = isConversation(kind) ? turnsIn(input) + fieldsBeside(request) : 0;
  const roles = isConversation(kind) ? turnsWithoutRole(input, kind.dialect.prompt.role) : 0;
  const attached = attachmentsOf(request, channels);
  const beside =
    earlierBound(request, channels) +
    (around(request) > templateTokens ? toolTokens : 0) +
    attached.tokens +
    bytesAgain(request);
  const most = promptBound(request, channels, attached);
  const within = (texts: number) => Math.min((texts + beside) * readings(request), most);
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
