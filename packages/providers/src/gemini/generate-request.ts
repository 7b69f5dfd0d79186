import {
  type AssistantMessage,
  type ChatField,
  type ChatRequest,
  type ContentPart,
  JsonBoundsCounter,
  parseJsonObject,
  type ReasoningBlock,
  RequestProblem,
  readDataUrl,
  requestBounds,
  type Tool,
  type ToolMessage,
} from '@headgate/dialects';
import type { JsonObject, ParameterRanges } from '../provider.ts';
import { buildThinkingConfig, needsSignatures } from './generation.ts';

export const geminiFields: readonly ChatField[] = [
  'temperature',
  'top_p',
  'top_k',
  'stop',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'tools',
  'tool_choice',
  'response_format',
  'reasoning_effort',
  'image_url',
  'input_audio',
  'file',
  'n',
  'modalities',
  'server_tools',
];

export const geminiParameterRanges: ParameterRanges = { temperature: [0, 2] };

/** Writes the body of `generateContent`, which is the same at AI Studio and Vertex. */
export function encodeGenerateRequest(request: ChatRequest, model: string): JsonObject {
  const { tools, toolChoice, extras } = request;
  const generationConfig = encodeConfig(request, model);
  const allTools = [
    ...(tools.length > 0 ? [{ functionDeclarations: tools.map(encodeTool) }] : []),
    ...(extras.serverTools ?? []).map(encodeServerTool),
  ];
  return {
    ...encodeContents(request, model),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
    ...(allTools.length > 0 && { tools: allTools }),
    ...(tools.length > 0 && encodeToolChoice(toolChoice)),
    safetySettings: extras.google?.safetySettings ?? safetySettings,
  };
}

function encodeConfig(request: ChatRequest, model: string): JsonObject {
  const { temperature, stop, choices, extras } = request;
  return present({
    ...extras.google?.generationConfig,
    temperature,
    topP: request.topP,
    topK: request.topK,
    maxOutputTokens: request.maxTokens,
    candidateCount: choices === 1 ? undefined : choices,
    stopSequences: stop.length > 0 ? stop : undefined,
    seed: request.seed,
    frequencyPenalty: request.frequencyPenalty,
    presencePenalty: request.presencePenalty,
    responseModalities: extras.modalities?.map((name) => name.toUpperCase()),
    ...encodeFormat(request.responseFormat),
    thinkingConfig: buildThinkingConfig(request, model),
  });
}

/** Google tools that only look up information; other tools produce output that a response cannot represent. */
const serverTools: ReadonlySet<string> = new Set(['googleSearch', 'urlContext', 'googleMaps']);

function encodeServerTool(name: string): JsonObject {
  if (serverTools.has(name)) return { [name]: {} };
  throw new RequestProblem('server_tools', `The channel's provider does not support the tool ${name}`);
}

function encodeFormat(format: ChatRequest['responseFormat']): JsonObject {
  if (format === undefined) return {};
  const responseMimeType = 'application/json';
  return format.type === 'json_object'
    ? { responseMimeType }
    : { responseMimeType, responseJsonSchema: withoutDialect(format.schema) };
}

const encodeTool = ({ name, description, parameters }: Tool): JsonObject =>
  present({ name, description, parametersJsonSchema: withoutDialect(parameters) });

const withoutDialect = ({ $schema: _dialect, ...schema }: JsonObject): JsonObject => schema;

function encodeToolChoice(choice: ChatRequest['toolChoice']): JsonObject {
  if (choice === undefined) return {};
  const functionCallingConfig =
    typeof choice === 'string' ? { mode: modes[choice] } : { mode: 'ANY', allowedFunctionNames: [choice.name] };
  return { toolConfig: { functionCallingConfig } };
}

const modes = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const;

/** Disables Google's filters by default: as with other providers, content rules are up to the admin and the client. */
const safetySettings: readonly JsonObject[] = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
].map((category) => ({ category, threshold: 'BLOCK_NONE' }));

const present = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly JsonObject[];
}

interface Calls {
  /** Function names by call id. */
  readonly names: Map<string, string>;
  /** Limits the total JSON inside the results. */
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
function encodeContents({ messages }: ChatRequest, model: string) {
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
    functionCall: {
      id,
      name,
      args: parseArguments(json, `messages[${index}].tool_calls[${number}].function.arguments`),
    },
    // The first call of a step must be signed. This placeholder is used if the client lost the signature or the call is
    // from another provider.
    ...(isSigned && number === 0 && { thoughtSignature: 'skip_thought_signature_validator' }),
    ...(thoughtSignature !== undefined && { thoughtSignature }),
  }));
  return [...encodeText(text, thoughts), ...calls];
}

/** Google signs the text after the reasoning and does not require the reasoning itself in later turns. */
function encodeText(text: string, thoughts: readonly ReasoningBlock[]): JsonObject[] {
  const signatures = thoughts.flatMap(({ maker, signature }) => (maker === 'google' ? (signature ?? []) : []));
  const last = signatures.pop();
  const others = signatures.map((thoughtSignature) => ({ text: '', thoughtSignature }));
  if (last !== undefined) return [...others, { text, thoughtSignature: last }];
  return text === '' ? [] : [{ text }];
}

function parseArguments(json: string, at: string): JsonObject {
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
