import type { ChatExtras, ChatRequest, GoogleExtras } from '../chat/chat-request.ts';
import type { RequestAddress } from '../dialect.ts';
import { type JsonObject, objectOf, requiredText } from '../json-fields.ts';
import { fieldOf, oneOrMore } from './field-spelling.ts';
import { configOf, readConfig, readLimits, wantsThoughts } from './read-config.ts';
import { readContents, readSystem } from './read-contents.ts';
import { readOutline } from './read-outline.ts';
import { readTools } from './read-tools.ts';

/** Reads the client's JSON; throws a RequestProblem that names the invalid field. */
export function readRequest(body: JsonObject, address: RequestAddress): ChatRequest {
  const { isStream } = readOutline(body, address);
  const config = configOf(body);
  const { limit, choices } = readLimits(config);
  const { tools, toolChoice, serverTools } = readTools(body);
  const settings = readConfig(config);
  return {
    messages: [...readSystem(fieldOf(body, 'systemInstruction')), ...readContents(body['contents'])],
    tools,
    toolChoice,
    parallelToolCalls: undefined,
    maxTokens: limit,
    ...settings,
    user: undefined,
    isStream,
    choices,
    extras: {
      ...readExtras(body, config, serverTools),
      // Agents always send reasoning settings, even for models without reasoning.
      ...(settings.reasoningEffort !== undefined && { isReasoningOptional: true }),
    },
  };
}

function readExtras(body: JsonObject, config: JsonObject, serverTools: readonly string[]): ChatExtras {
  const modalities = oneOrMore(listed(fieldOf(config, 'responseModalities')), 'generationConfig.responseModalities');
  const google = googleExtras(body, config);
  return {
    ...(wantsThoughts(config) && { wantsThoughts: true }),
    ...(fieldOf(config, 'responseLogprobs') === true && { wantsLogprobs: true }),
    ...(modalities.length > 0 && {
      modalities: modalities.map((name) => requiredText(name, 'generationConfig.responseModalities').toLowerCase()),
    }),
    ...(serverTools.length > 0 && { serverTools }),
    ...(Object.keys(google).length > 0 && { google }),
  };
}

const listed = (value: unknown) => (typeof value === 'string' ? [value] : value);

/** Settings that only Google's models support. */
const googleSettings = ['mediaResolution', 'imageConfig', 'speechConfig'];

function googleExtras(body: JsonObject, config: JsonObject): GoogleExtras {
  const safety = oneOrMore(fieldOf(body, 'safetySettings'), 'safetySettings');
  const settings = googleSettings.flatMap((name) => {
    const value = fieldOf(config, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...(safety.length > 0 && {
      safetySettings: safety.map((setting, index) => objectOf(setting, `safetySettings[${index}]`)),
    }),
    ...(settings.length > 0 && { generationConfig: Object.fromEntries(settings) }),
  };
}
