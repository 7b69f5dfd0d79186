import {
  type AssistantMessage,
  type ChatRequest,
  type ContentPart,
  JsonBoundsCounter,
  parseJsonObject,
  type ReasoningBlock,
  RequestProblem,
  readDataUrl,
  requestBounds,
  type ToolMessage,
} from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';
import { needsSignatures } from './generation.ts';

interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly JsonObject[];
}

interface Calls {
  /** Function names by call id. */
  readonly names: Map<string, string>;
  /** Bounds the JSON inside the results. */
  readonly results: JsonBoundsCounter;
}

/** Results of one step are one turn, because Google requires as many results as calls. */
class ResultTurn implements Content {
  readonly role = 'user';
  readonly parts: JsonObject[] = [];
}

/**
 * Writes the conversation in Google's format. The system prompt is a separate field, unless there are no other
 * messages.
 */
export function encodeContents({ messages }: ChatRequest, model: string) {
  const instructions = messages.flatMap((message) => (message.role === 'system' ? [{ text: message.text }] : []));
  const contents: Content[] = [];
  const calls: Calls = { names: new Map(), results: new JsonBoundsCounter(requestBounds) };
  for (const [index, message] of messages.entries()) {
    switch (message.role) {
      case 'user':
        contents.push({ role: 'user', parts: encodeParts(message.parts) });
        break;
      case 'assistant': {
        for (const { id, name } of message.toolCalls) calls.names.set(id, name);
        const parts = encodeAssistant(message, index, needsSignatures(model));
        if (parts.length > 0) contents.push({ role: 'model', parts });
        break;
      }
      case 'tool':
        addToolResult(contents, encodeToolResult(message, index, calls));
    }
  }
  return contents.length === 0
    ? { contents: [{ role: 'user', parts: instructions }] }
    : { contents, ...(instructions.length > 0 && { systemInstruction: { parts: instructions } }) };
}

/** An empty turn must still have a part. */
const encodeParts = (parts: readonly ContentPart[]) => (parts.length === 0 ? [{ text: '' }] : parts.map(encodePart));

function encodePart(part: ContentPart): JsonObject {
  switch (part.type) {
    case 'text':
      return { text: part.text };
    case 'image':
      if ('url' in part.image) throw new Error('an image URL was not fetched');
      return inline(part.image.mediaType, part.image.data);
    case 'audio':
      return inline(`audio/${part.format}`, part.data);
    case 'file':
      return encodeFile(part.data);
  }
}

const inline = (mimeType: string, data: string): JsonObject => ({ inlineData: { mimeType, data } });

function encodeFile(url: string): JsonObject {
  const file = readDataUrl(url);
  if (!file) throw new RequestProblem('file', 'file.file_data must be a base64 data URL');
  return inline(file.mediaType, file.data);
}

function encodeAssistant(message: AssistantMessage, index: number, isSigned: boolean): JsonObject[] {
  const { text, thoughts, toolCalls } = message;
  const calls = toolCalls.map(({ id, name, arguments: json, thoughtSignature }, number) => ({
    functionCall: { id, name, args: argumentsOf(json, `messages[${index}].tool_calls[${number}].function.arguments`) },
    // The first call of a step must be signed. This placeholder is used when the client lost the signature or the
    // call is from another provider.
    ...(isSigned && number === 0 && { thoughtSignature: 'skip_thought_signature_validator' }),
    ...(thoughtSignature !== undefined && { thoughtSignature }),
  }));
  return [...encodeText(text, thoughts), ...calls];
}

/** Google signs the text after the reasoning and does not need the reasoning itself back. */
function encodeText(text: string, thoughts: readonly ReasoningBlock[]): JsonObject[] {
  const signatures = thoughts.flatMap(({ maker, signature }) => (maker === 'google' ? (signature ?? []) : []));
  const last = signatures.pop();
  const others = signatures.map((thoughtSignature) => ({ text: '', thoughtSignature }));
  if (last !== undefined) return [...others, { text, thoughtSignature: last }];
  return text === '' ? [] : [{ text }];
}

function argumentsOf(json: string, at: string): JsonObject {
  const value = parseJsonObject(json, requestBounds);
  if (value) return value;
  throw new RequestProblem(at, `${at} must be a JSON object`);
}

function encodeToolResult(message: ToolMessage, index: number, { names, results }: Calls): JsonObject {
  const { toolCallId: id, parts } = message;
  const name = names.get(id);
  if (name === undefined) {
    const at = `messages[${index}].tool_call_id`;
    throw new RequestProblem(at, `${at} must be the id of an earlier tool call`);
  }
  const shown = parts.filter(({ type }) => type !== 'text').map(encodePart);
  return {
    functionResponse: { id, name, response: responseOf(message, results), ...(shown.length > 0 && { parts: shown }) },
  };
}

/**
 * Writes a tool result: by Google's convention an error is under `error`, and an object is the output itself. Sent as
 * text once the results of the request exceed the JSON bounds.
 */
function responseOf({ text, isError }: ToolMessage, tally: JsonBoundsCounter): JsonObject {
  const value = /^\s*\{/.test(text) && tally.add(text) ? parseJsonObject(text, requestBounds) : undefined;
  if (isError) return { error: value ?? text };
  return value ?? { result: text };
}

function addToolResult(contents: Content[], result: JsonObject): void {
  const last = contents.at(-1);
  const turn = last instanceof ResultTurn ? last : new ResultTurn();
  turn.parts.push(result);
  if (turn !== last) contents.push(turn);
}
