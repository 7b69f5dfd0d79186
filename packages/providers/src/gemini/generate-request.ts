import { type ChatField, type ChatRequest, RequestProblem, type Tool } from '@headgate/dialects';
import type { JsonObject, Ranges } from '../provider.ts';
import { encodeContents } from './contents.ts';
import { thinkingOf } from './generation.ts';

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

export const geminiRanges: Ranges = { temperature: [0, 2] };

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
    thinkingConfig: thinkingOf(request, model),
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

/** Disables Google's filters by default: content rules are up to the admin and the client, as with other providers. */
const safetySettings: readonly JsonObject[] = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
].map((category) => ({ category, threshold: 'BLOCK_NONE' }));

const present = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
