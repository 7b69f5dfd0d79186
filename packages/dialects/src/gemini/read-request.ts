import type { ChatExtras, ChatRequest, GoogleExtras } from '../chat/chat-request.ts';
import type { ReasoningSettings, RequestOutline, RequestUrlInfo } from '../dialect.ts';
import { isObject, type JsonObject, optionalText, requiredText, requireObject } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { isGoogleFileUrl } from '../stored-files.ts';
import { readField, toList } from './field-spelling.ts';
import {
  findServerTools,
  includesThoughts,
  readConfig,
  readGenerationConfig,
  readLimits,
  readThinking,
  readTools,
} from './read-config.ts';
import { fileUri, readContents, readSystem } from './read-contents.ts';

/** Reads the client's JSON; throws a RequestProblem that names the invalid field. */
export function readRequest(body: JsonObject, address: RequestUrlInfo): ChatRequest {
  const { isStream } = readOutline(body, address);
  const config = readGenerationConfig(body);
  const { limit, choices } = readLimits(config);
  const { tools, toolChoice, serverTools } = readTools(body);
  const settings = readConfig(config);
  return {
    messages: [...readSystem(readField(body, 'systemInstruction')), ...readContents(body['contents'])],
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
  const modalities = toList(listed(readField(config, 'responseModalities')), 'generationConfig.responseModalities');
  const google = googleExtras(body, config);
  return {
    ...(includesThoughts(config) && { includesThoughts: true }),
    ...(readField(config, 'responseLogprobs') === true && { wantsLogprobs: true }),
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
  const safety = toList(readField(body, 'safetySettings'), 'safetySettings');
  const settings = googleSettings.flatMap((name) => {
    const value = readField(config, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...(safety.length > 0 && {
      safetySettings: safety.map((setting, index) => requireObject(setting, `safetySettings[${index}]`)),
    }),
    ...(settings.length > 0 && { generationConfig: Object.fromEntries(settings) }),
  };
}

export function readOutline(body: JsonObject, address: RequestUrlInfo): RequestOutline {
  const serverTools = findServerTools(body);
  rejectAccountState(body);
  for (const name of ['toolConfig', 'safetySettings']) readField(body, name);
  rejectSystemFiles(readField(body, 'systemInstruction'));
  const config = readGenerationConfig(body);
  rejectOtherModels(config);
  const { limit, choices } = readLimits(config);
  return {
    model: readModel(body, address),
    isStream: address.isStream === true,
    wantsUsage: true,
    completionLimit: limit,
    choiceCount: choices,
    tries: choices,
    mayGrowPrompt: serverTools.length > 0,
    hasTools: body['tools'] != null,
    repeatsPrompt: false,
    summarizesFirst: false,
    thinking: thinkingSettings(config),
  };
}

function thinkingSettings(config: JsonObject): ReasoningSettings {
  const { reasoningEffort, reasoningBudget } = readThinking(config);
  if (reasoningEffort === 'none') return { isOn: false };
  const isOn = reasoningEffort === undefined && reasoningBudget === undefined ? undefined : true;
  return { isOn, ...(reasoningBudget !== undefined && { budget: reasoningBudget }) };
}

/** Reads the model from the path; a model in the body must be the same. */
function readModel(body: JsonObject, { model = '' }: RequestUrlInfo): string {
  const named = plainModelName(model);
  const inBody = optionalText(body['model'], 'model');
  if (inBody === undefined || plainModelName(inBody) === named) return named;
  throw new RequestProblem('model', 'model must match the model in the URL');
}

export const plainModelName = (model: string): string => model.replace(/^models\//, '');

/**
 * Data stored at Google under the channel's key belongs to the key's owner; without this check, a client could
 * reference data that it never uploaded.
 */
function rejectAccountState(body: JsonObject): void {
  if (readField(body, 'cachedContent') !== undefined) {
    throw new RequestProblem(
      'cachedContent',
      "cachedContent is not supported: caches belong to the operator's Google account",
    );
  }
  for (const [index, content] of toList(body['contents'], 'contents').entries()) {
    if (isObject(content)) rejectStoredFiles(content, `contents[${index}]`);
  }
}

function rejectStoredFiles(holder: JsonObject, at: string): void {
  for (const [index, part] of toList(holder['parts'], `${at}.parts`).entries()) {
    if (!isObject(part)) continue;
    const path = `${at}.parts[${index}]`;
    const file = readField(part, 'fileData', path);
    if (isObject(file) && isStoredUri(fileUri(file, `${path}.fileData`))) {
      const uri = `${path}.fileData.fileUri`;
      throw new RequestProblem(uri, `${uri} must not reference a file in the operator's Google account`);
    }
    const result = readField(part, 'functionResponse', path);
    if (isObject(result)) rejectStoredFiles(result, `${path}.functionResponse`);
  }
}

/** Instructions must be text, because other content is counted only in the conversation. */
function rejectSystemFiles(system: unknown): void {
  if (!isObject(system)) return;
  for (const [index, part] of toList(system['parts'], 'systemInstruction.parts').entries()) {
    const at = `systemInstruction.parts[${index}]`;
    const isFile = isObject(part) && ['fileData', 'inlineData'].some((name) => readField(part, name, at) !== undefined);
    if (isFile) throw new RequestProblem(at, `${at} must be text`);
  }
}

/** Fields that make Google use a model other than the one that was checked and priced. */
const otherModels = ['routingConfig', 'modelConfig', 'modelSelectionConfig'];

function rejectOtherModels(config: JsonObject): void {
  const named = otherModels.find((name) => readField(config, name, 'generationConfig') !== undefined);
  if (named === undefined) return;
  throw new RequestProblem(
    `generationConfig.${named}`,
    `generationConfig.${named} is not supported: request a single model`,
  );
}

/** True if a URI is not publicly accessible. */
const isStoredUri = (uri: string): boolean => !/^https?:\/\//i.test(uri) || isGoogleFileUrl(uri);
