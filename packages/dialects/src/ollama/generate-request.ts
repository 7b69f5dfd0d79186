import type { ResponseEnvelope } from '../dialect.ts';
import { isObject, type JsonObject, optionalNumber, optionalText, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { listAt, numberAt, objectAt, textAt } from '../upstream-fields.ts';
import { type LineShape, writePreloadResponse } from './line-writer.ts';
import { isStreamed, readOutputLimit, readStop } from './read-request.ts';

/** Fields without an equivalent in chats that would change the response if ignored. */
const unsupportedFields = ['template', 'context', 'raw'] as const;

const isNothing = (value: unknown): boolean =>
  value == null || value === '' || value === false || (Array.isArray(value) && value.length === 0);

/** Converts `/api/generate` to a chat with one message; without a prompt there are no messages. */
export function generateToChat(body: JsonObject): JsonObject {
  if (body['messages'] !== undefined) return body;
  for (const name of unsupportedFields) {
    if (!isNothing(body[name])) throw new RequestProblem(name, `${name} is not supported`);
  }
  const { prompt, system, images, ...rest } = body;
  const promptText = optionalText(prompt, 'prompt') ?? '';
  if (promptText === '') return { ...rest, messages: [] };
  const instruction = optionalText(system, 'system') ?? '';
  const question = { role: 'user', content: promptText, ...(images != null && { images }) };
  return {
    ...rest,
    messages: [...(instruction === '' ? [] : [{ role: 'system', content: instruction }]), question],
  };
}

/** True for a `keep_alive` of zero. */
const noTime = /^0+(?:\.0+)?(?:ns|us|µs|ms|s|m|h)?$/;

const unloadsModel = (keepAlive: unknown): boolean =>
  keepAlive === 0 || (typeof keepAlive === 'string' && noTime.test(keepAlive));

/** Responds to an empty request, which clients send to load or unload a model. Nothing is sent upstream. */
export function preloadResponse(reply: ResponseEnvelope, shape: LineShape): string | undefined {
  const { body } = reply;
  if (!Array.isArray(body['messages']) || listAt(body, 'messages').length > 0) return undefined;
  return writePreloadResponse(reply, shape, unloadsModel(body['keep_alive']) ? 'unload' : 'load');
}

/** Fields without an equivalent in fill-in-the-middle completions that would change the response if ignored. */
const unsupportedWithSuffix = ['system', 'images', 'format', 'think', 'template', 'context', 'raw'] as const;

/** Options with the same name in completions. */
const carried = ['temperature', 'top_p', 'seed', 'frequency_penalty', 'presence_penalty'] as const;

/** True if an `/api/generate` request is fill-in-the-middle (has a suffix), as sent by code editors. */
export const isInfillRequest = ({ suffix }: JsonObject): boolean => suffix != null && suffix !== '';

/**
 * Converts an `/api/generate` request with a suffix to OpenAI's completion request. Fields for the server's memory
 * management are ignored.
 */
export function readInfillRequest(body: JsonObject): JsonObject {
  const named = unsupportedWithSuffix.find((name) => !isNothing(body[name]));
  if (named !== undefined) throw new RequestProblem(named, `${named} is not supported together with suffix`);
  isStreamed(body);
  if (body['options'] != null && !isObject(body['options']))
    throw new RequestProblem('options', 'options must be an object');
  const options = objectAt(body, 'options');
  const numbers = carried.flatMap((name) => {
    const value = optionalNumber(options[name], `options.${name}`);
    return value === undefined ? [] : [[name, value] as const];
  });
  const stop = readStop(options['stop']);
  return {
    model: body['model'],
    prompt: requiredText(body['prompt'], 'prompt'),
    suffix: requiredText(body['suffix'], 'suffix'),
    max_tokens: readOutputLimit(body),
    ...Object.fromEntries(numbers),
    ...(stop.length > 0 && { stop }),
    stream: false,
  };
}

/** Converts OpenAI's completion to the last line of `/api/generate`, which contains the whole response. */
export function writeInfillResponse(reply: JsonObject): JsonObject {
  const [choice] = listAt(reply, 'choices');
  const usage = objectAt(reply, 'usage');
  const [prompt, response] = [numberAt(usage, 'prompt_tokens'), numberAt(usage, 'completion_tokens')];
  return {
    model: reply['model'],
    created_at: timeOf(numberAt(reply, 'created') ?? 0),
    response: textAt(choice, 'text'),
    done: true,
    done_reason: textAt(choice, 'finish_reason') || 'stop',
    ...(prompt !== undefined && { prompt_eval_count: prompt }),
    ...(response !== undefined && { eval_count: response }),
  };
}

/** Unix seconds in Ollama's format; some upstreams report invalid numbers. */
function timeOf(seconds: number): string {
  const time = new Date(seconds * 1000);
  return (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString();
}
