import type { RequestAddress, RequestOutline, ThinkingWish } from '../dialect.ts';
import { isObject, type JsonObject, textOrNone } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { fieldOf, oneOrMore } from './field-spelling.ts';
import { configOf, readLimits, readThinking } from './read-config.ts';
import { fileUri } from './read-media.ts';
import { serverToolsIn } from './read-tools.ts';

export function readOutline(body: JsonObject, address: RequestAddress): RequestOutline {
  const serverTools = serverToolsIn(body);
  refuseAccountState(body);
  for (const name of ['systemInstruction', 'toolConfig', 'safetySettings']) fieldOf(body, name);
  const config = configOf(body);
  const { limit, choices } = readLimits(config);
  return {
    model: readModel(body, address),
    isStream: address.isStream === true,
    wantsUsage: true,
    completionLimit: limit,
    choices,
    mayGrowPrompt: serverTools.length > 0,
    thinking: thinkingWish(config),
  };
}

function thinkingWish(config: JsonObject): ThinkingWish {
  const { reasoningEffort, reasoningBudget } = readThinking(config);
  if (reasoningEffort === 'none') return { isOn: false };
  const isOn = reasoningEffort === undefined && reasoningBudget === undefined ? undefined : true;
  return { isOn, ...(reasoningBudget !== undefined && { budget: reasoningBudget }) };
}

/** The address names it; a body that names one too must mean the same. */
function readModel(body: JsonObject, { model = '' }: RequestAddress): string {
  const named = withoutPath(model);
  const inBody = textOrNone(body['model'], 'model');
  if (inBody === undefined || withoutPath(inBody) === named) return named;
  throw new RequestProblem('model', 'model must be the one in the address');
}

export const withoutPath = (model: string): string => model.replace(/^models\//, '');

/** What is kept at Google under the channel's key is its owner's: a client could name what it never put there. */
function refuseAccountState(body: JsonObject): void {
  if (fieldOf(body, 'cachedContent') !== undefined) {
    throw new RequestProblem('cachedContent', 'cachedContent is not supported: caches belong to the account at Google');
  }
  for (const [index, content] of oneOrMore(body['contents'], 'contents').entries()) {
    if (isObject(content)) refuseKeptFiles(content, `contents[${index}]`);
  }
}

function refuseKeptFiles(holder: JsonObject, at: string): void {
  for (const [index, part] of oneOrMore(holder['parts'], `${at}.parts`).entries()) {
    if (!isObject(part)) continue;
    const path = `${at}.parts[${index}]`;
    const file = fieldOf(part, 'fileData', path);
    if (isObject(file) && isKept(fileUri(file, `${path}.fileData`))) {
      const uri = `${path}.fileData.fileUri`;
      throw new RequestProblem(uri, `${uri} may not be a file that the account at Google keeps`);
    }
    const result = fieldOf(part, 'functionResponse', path);
    if (isObject(result)) refuseKeptFiles(result, `${path}.functionResponse`);
  }
}

/** Whatever is not fetched from the open network as anybody could. */
function isKept(uri: string): boolean {
  const [, host] = /^https?:\/\/([^/?#\\]*)/i.exec(uri) ?? [];
  if (host === undefined) return true;
  return /googleapis\.com\.?(?::\d*)?$/i.test(host) && host.toLowerCase() !== 'storage.googleapis.com';
}
