import { type ChatMessage, type ChatRequest, isObject, type JsonObject, objectAt, textAt } from '@headgate/dialects';
import type { Adjustment } from './model-parameters.ts';
import type { UnsupportedFormats } from './provider.ts';

type FormatType = keyof UnsupportedFormats;

/** Prompt text for a response format that the upstream does not enforce. */
function instructionFor(schema: JsonObject | undefined): string {
  const rest = 'Output raw JSON only: no explanation, no Markdown code fence.';
  if (!schema) return `Respond with a single valid JSON object. ${rest}`;
  return `Respond with a single valid JSON object that conforms to this JSON schema:\n${JSON.stringify(schema)}\n${rest}`;
}

const isLacked = (lacks: UnsupportedFormats, type: FormatType, model: string) => lacks[type]?.test(model) === true;

const ignoredName = (type: FormatType) => `response_format.${type}`;

/** Replaces a response format that the upstream lacks with an instruction; undefined when the upstream supports it. */
export function instructedRequest(
  request: ChatRequest,
  lacks: UnsupportedFormats,
  model: string,
): { readonly request: ChatRequest; readonly ignored: string } | undefined {
  const format = request.responseFormat;
  if (!format || !isLacked(lacks, format.type, model)) return undefined;
  const text = instructionFor(format.type === 'json_schema' ? format.schema : undefined);
  const responseFormat = isLacked(lacks, 'json_object', model) ? undefined : ({ type: 'json_object' } as const);
  const messages = withSystemMessage(request.messages, text);
  return { request: { ...request, messages, responseFormat }, ignored: ignoredName(format.type) };
}

/**
 * Appends the text to the last leading system message: some vendors accept only one, and a cached prompt stays valid.
 */
function withSystemMessage(messages: readonly ChatMessage[], text: string): readonly ChatMessage[] {
  const first = messages.findIndex(({ role }) => role !== 'system');
  const at = first === -1 ? messages.length : first;
  const last = messages[at - 1];
  if (last?.role !== 'system') return [{ role: 'system', text, parts: [{ type: 'text', text }] }, ...messages];
  const added = last.text === '' ? text : `\n\n${text}`;
  const joined = { ...last, text: last.text + added, parts: [...last.parts, { type: 'text', text: added } as const] };
  return [...messages.slice(0, at - 1), joined, ...messages.slice(at)];
}

/** Like `instructedRequest`, for a request in OpenAI's dialect that is passed through. */
export function instructedBody(body: JsonObject, lacks: UnsupportedFormats, model: string): Adjustment | undefined {
  const format = body['response_format'];
  const type = textAt(format, 'type');
  if ((type !== 'json_schema' && type !== 'json_object') || !isLacked(lacks, type, model)) return undefined;
  if (!Array.isArray(body['messages'])) return undefined;
  const schema = type === 'json_schema' ? objectAt(objectAt(format, 'json_schema'), 'schema') : undefined;
  return {
    changes: {
      messages: withInstruction(body['messages'], instructionFor(schema)),
      response_format: isLacked(lacks, 'json_object', model) ? undefined : { type: 'json_object' },
    },
    ignored: [ignoredName(type)],
  };
}

function withInstruction([first, ...others]: readonly unknown[], text: string): readonly unknown[] {
  const isSystem = isObject(first) && (first['role'] === 'system' || first['role'] === 'developer');
  if (!isSystem) return [{ role: 'system', content: text }, ...(first === undefined ? [] : [first]), ...others];
  return [{ ...first, content: withText(first['content'], text) }, ...others];
}

function withText(content: unknown, text: string): unknown {
  if (Array.isArray(content)) return [...(content as readonly unknown[]), { type: 'text', text }];
  return typeof content === 'string' && content !== '' ? `${content}\n\n${text}` : text;
}
