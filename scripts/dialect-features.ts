import type { ChatRequirement, ConversationName, JsonObject } from '../packages/dialects/src/index.ts';

const schema = { type: 'object', properties: {} };
const userMessage = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const given = (content: JsonObject) => ({ input: [{ role: 'user', content: [content] }] });
const part = (content: JsonObject) => ({ contents: [{ role: 'user', parts: [content] }] });
const config = (fields: JsonObject) => ({ generationConfig: fields });

const chatTools = { tools: [{ type: 'function', function: { name: 'f', parameters: schema } }] };
const responseTools = { tools: [{ type: 'function', name: 'f', parameters: schema }] };
const claudeTools = { tools: [{ name: 'f', input_schema: schema }] };
const geminiTools = { tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: schema }] }] };
const pdf = 'data:application/pdf;base64,AAAA';
const png = 'data:image/png;base64,AAAA';

/** Minimal request in each dialect. */
export const minimalBodies: Readonly<Record<ConversationName, JsonObject>> = {
  chat: { model: 'm', ...userMessage('Hello') },
  responses: { model: 'm', input: 'Hello' },
  messages: { model: 'm', max_tokens: 9, ...userMessage('Hello') },
  generateContent: part({ text: 'Hello' }),
  ollamaChat: { model: 'm', ...userMessage('Hello') },
  ollamaGenerate: { model: 'm', prompt: 'Hello' },
};

type FeatureRequests = Readonly<Record<ConversationName, Partial<Readonly<Record<ChatRequirement, JsonObject>>>>>;

const ollamaFeatures = {
  response_format: { format: 'json' },
  reasoning_effort: { think: true },
  logprobs: { logprobs: true },
};

/** How each dialect requests features that an upstream may lack; absent: the dialect has no such feature. */
export const dialectFeatures: FeatureRequests = {
  chat: {
    tools: chatTools,
    tool_choice: { ...chatTools, tool_choice: 'required' },
    response_format: { response_format: { type: 'json_object' } },
    reasoning_effort: { reasoning_effort: 'high' },
    image_url: userMessage([{ type: 'image_url', image_url: { url: png } }]),
    input_audio: userMessage([{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }]),
    file: userMessage([{ type: 'file', file: { filename: 'a.pdf', file_data: pdf } }]),
    n: { n: 2 },
    logprobs: { logprobs: true },
    modalities: { modalities: ['text', 'audio'] },
    prediction: { prediction: { type: 'content', content: 'x' } },
    web_search_options: { web_search_options: {} },
    functions: { functions: [{ name: 'f' }] },
  },
  responses: {
    tools: responseTools,
    tool_choice: { ...responseTools, tool_choice: 'required' },
    response_format: { text: { format: { type: 'json_object' } } },
    reasoning_effort: { reasoning: { effort: 'high' } },
    image_url: given({ type: 'input_image', image_url: png }),
    input_audio: given({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }),
    file: given({ type: 'input_file', filename: 'a.pdf', file_data: pdf }),
    logprobs: { top_logprobs: 2 },
    server_tools: { tools: [{ type: 'web_search' }] },
  },
  messages: {
    tools: claudeTools,
    tool_choice: { ...claudeTools, tool_choice: { type: 'any' } },
    response_format: { output_config: { format: { type: 'json_schema', schema } } },
    reasoning_effort: { max_tokens: 5000, thinking: { type: 'enabled', budget_tokens: 2048 } },
    image_url: userMessage([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }]),
    file: userMessage([{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } }]),
    server_tools: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
  },
  generateContent: {
    tools: geminiTools,
    tool_choice: { ...geminiTools, toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
    response_format: config({ responseMimeType: 'application/json' }),
    reasoning_effort: config({ thinkingConfig: { thinkingBudget: 2048 } }),
    image_url: part({ inlineData: { mimeType: 'image/png', data: 'AAAA' } }),
    input_audio: part({ inlineData: { mimeType: 'audio/wav', data: 'AAAA' } }),
    file: part({ inlineData: { mimeType: 'application/pdf', data: 'AAAA' } }),
    n: config({ candidateCount: 2 }),
    logprobs: config({ responseLogprobs: true }),
    modalities: config({ responseModalities: ['TEXT', 'IMAGE'] }),
    server_tools: { tools: [{ googleSearch: {} }] },
  },
  ollamaChat: {
    ...ollamaFeatures,
    tools: chatTools,
    image_url: { messages: [{ role: 'user', content: 'Hello', images: ['iVBORAAA'] }] },
  },
  ollamaGenerate: { ...ollamaFeatures, image_url: { images: ['iVBORAAA'] } },
};

/**
 * Features tied to an account at the dialect's own provider. They are rejected wherever they would have to be
 * translated.
 */
export const ownProviderOnly: Readonly<Record<ConversationName, readonly JsonObject[]>> = {
  chat: [],
  responses: [
    { conversation: 'c' },
    { prompt: { id: 'p' } },
    { background: true },
    given({ type: 'input_file', file_id: 'f' }),
  ],
  messages: [{ container: 'c' }, { mcp_servers: [{ type: 'url', url: 'https://a.test', name: 'a' }] }],
  generateContent: [{ cachedContent: 'c' }],
  ollamaChat: [],
  ollamaGenerate: [{ context: [1] }],
};
