import {
  type ChatDelta,
  type ChatMessage,
  type ChatResponse,
  isObject,
  listAt,
  numberAt,
  parseFrame,
  textAt,
  UpstreamProblem,
} from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import { jsonBody } from '../json-body.ts';
import { openaiModels } from '../openai-compatible/models.ts';
import { bearer } from '../openai-compatible/pass-through.ts';
import type { ChatAdaptor, Provider, StreamDecoder } from '../provider.ts';

/** A chat with a document library, whose responses cite their sources. Usage is never reported. */
export const libraryChat: ChatAdaptor = {
  kind: 'convert',
  takes: [],
  encode: (request, upstream) => ({
    method: 'POST',
    url: `${upstream.baseUrl}/api/library/ask`,
    headers: { 'content-type': 'application/json', ...bearer(upstream) },
    body: jsonBody(
      {
        model: upstream.model,
        query: questionOf(request.messages),
        libraryId: upstream.config['library_id'] || upstream.other,
        stream: request.isStream,
      },
      upstream,
    ),
  }),
  decode: decodeResponse,
  stream: { framing: 'sse', open: () => new LibraryReader() },
  readProblem: (_status, body) => problemIn(body),
};

/** The only message that the library accepts. It keeps no history, so earlier messages are included. */
function questionOf(messages: readonly ChatMessage[]): string {
  const [only, ...others] = messages;
  if (only && others.length === 0) return textOf(only);
  return messages.map((message) => `${message.role}: ${textOf(message)}`).join('\n');
}

const textOf = (message: ChatMessage): string =>
  message.role === 'user'
    ? message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    : message.text;

function decodeResponse(body: unknown): ChatResponse {
  const problem = problemIn(body);
  if (problem) throw problem;
  if (!isObject(body) || typeof body['answer'] !== 'string') {
    throw new UpstreamProblem(502, 'The upstream returned an empty response');
  }
  const content = body['answer'] + sourcesIn(body);
  return { choices: [{ content, finishReason: 'stop' }], usage: undefined };
}

class LibraryReader implements StreamDecoder {
  readonly usage = undefined;

  push({ data }: StreamFrame): readonly ChatDelta[] {
    const body = parseFrame(data);
    const problem = problemIn(body);
    if (problem) throw problem;
    const isLast = isObject(body) && body['finish'] === true;
    const content = textAt(body, 'content') + (isLast ? sourcesIn(body) : '');
    return [
      ...(content === '' ? [] : [{ content }]),
      ...(isLast ? [{ content: '', finishReason: 'stop' as const }] : []),
    ];
  }
}

function sourcesIn(body: unknown): string {
  const lines = listAt(body, 'documents').map(
    (document, index) => `${index + 1}. [${textAt(document, 'title')}](${textAt(document, 'url')})`,
  );
  return lines.length === 0 ? '' : `\n\n参考文档：\n${lines.join('\n')}`;
}

function problemIn(body: unknown): UpstreamProblem | undefined {
  const code = numberAt(body, 'errCode') ?? 0;
  const hasFailed = isObject(body) && body['success'] === false;
  if (code === 0 && !hasFailed) return undefined;
  const status = code >= 400 && code < 600 ? code : 502;
  return new UpstreamProblem(status, textAt(body, 'message') || 'The upstream could not respond', String(code));
}

export const aiproxyLibrary: Provider = { baseUrl: 'https://api.aiproxy.io', models: openaiModels, chat: libraryChat };
