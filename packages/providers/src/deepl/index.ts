import {
  type ChatMessage,
  type ChatResponse,
  listAt,
  numberAt,
  RequestProblem,
  textAt,
  UpstreamProblem,
} from '@headgate/dialects';
import { defaultProblem } from '../default-problem.ts';
import { jsonBody } from '../json-body.ts';
import type { ChatAdaptor, JsonObject, Provider, Upstream } from '../provider.ts';

const deeplModels: readonly string[] = ['deepl-zh', 'deepl-en', 'deepl-ja'];

/** DeepL translates the last message to the language in the model name. */
export const chat: ChatAdaptor = {
  kind: 'convert',
  takes: [],
  hasFreeOutput: true,
  encode: ({ messages }, upstream) => ({
    method: 'POST',
    url: `${planBaseUrl(upstream)}/v2/translate`,
    headers: { 'content-type': 'application/json', ...keyHeader(upstream) },
    body: jsonBody(
      {
        ...encodeMessages(messages),
        target_lang: targetOf(upstream.model),
        show_billed_characters: true,
      },
      upstream,
    ),
  }),
  decode,
  readProblem: (status, body) => {
    const { message, code } = defaultProblem(status, body);
    return new UpstreamProblem(statuses.get(status) ?? status, message, code);
  },
};

/** Earlier messages are sent as context and are not translated. */
function encodeMessages(messages: readonly ChatMessage[]): JsonObject {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const text = textOf(messages[last]);
  if (text === '') throw new RequestProblem('messages', 'messages must contain a text to translate');
  const context = messages
    .filter((_, index) => index !== last)
    .map(textOf)
    .filter((message) => message !== '')
    .join('\n');
  return { text: [text], ...(context !== '' && { context }) };
}

function textOf(message: ChatMessage | undefined): string {
  if (message === undefined) return '';
  if (message.role !== 'user') return message.text;
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Target language of a model. If a language has variants, its code without a variant is deprecated. */
function targetOf(model: string): string {
  const [, ...words] = model.split('-');
  const language = (words.join('-') || 'zh').toUpperCase();
  return preferred[language] ?? language;
}

const preferred: Readonly<Record<string, string | undefined>> = { EN: 'EN-US', PT: 'PT-BR', ZH: 'ZH-HANS' };

/** DeepL counts characters, which are charged as prompt tokens; its output is free. */
function decode(body: unknown): ChatResponse {
  const [translation] = listAt(body, 'translations');
  if (translation === undefined) throw new UpstreamProblem(502, 'The upstream returned no translation');
  const characters = numberAt(translation, 'billed_characters');
  return {
    choices: [{ content: textAt(translation, 'text'), finishReason: 'stop' }],
    usage: characters === undefined ? undefined : { promptTokens: characters, completionTokens: 0 },
  };
}

/** Statuses that are mapped for routing: exhausted quota, an invalid key reported as forbidden, and overload. */
const statuses: ReadonlyMap<number, number> = new Map([
  [456, 402],
  [403, 401],
  [529, 429],
]);

const freeBaseUrl = 'https://api-free.deepl.com';
const proHome = 'https://api.deepl.com';

/**
 * Base URL: keys of the free plan have a suffix, and each plan has a separate host. A base URL set by the admin is
 * not replaced.
 */
const planBaseUrl = ({ baseUrl, key }: Upstream) =>
  baseUrl === freeBaseUrl && !key.endsWith(':fx') ? proHome : baseUrl;

const keyHeader = ({ key }: Upstream) => ({ authorization: `DeepL-Auth-Key ${key}` });

export const deepl: Provider = {
  baseUrl: freeBaseUrl,
  models: deeplModels,
  chat,
  modelList: {
    request: (upstream) => ({
      method: 'GET',
      url: `${planBaseUrl(upstream)}/v2/languages?type=target`,
      headers: keyHeader(upstream),
    }),
    read: (body) =>
      (Array.isArray(body) ? (body as readonly unknown[]) : [])
        .map((row) => textAt(row, 'language').toLowerCase())
        .flatMap((language) => (language === '' ? [] : [`deepl-${language}`])),
  },
};
