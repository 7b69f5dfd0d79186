import { isObject, type JsonObject, numberOf, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { listAt, numberAt, objectAt, textAt } from '../upstream-fields.ts';
import { isStreamed, outputLimitIn } from './read-outline.ts';
import { readStop } from './read-request.ts';

/** Fields without an equivalent in fill-in-the-middle completions that would change the response if ignored. */
const unsupportedFields = ['system', 'images', 'format', 'think', 'template', 'context', 'raw'] as const;

/** Options with the same name in completions. */
const carried = ['temperature', 'top_p', 'seed', 'frequency_penalty', 'presence_penalty'] as const;

/** Whether `/api/generate` requests text between two others, as editors do. */
export const isFillRequest = ({ suffix }: JsonObject): boolean => suffix != null && suffix !== '';

const isNothing = (value: unknown): boolean =>
  value == null || value === '' || value === false || (Array.isArray(value) && value.length === 0);

/**
 * Converts `/api/generate` with a suffix to OpenAI's completion request. Fields that manage the server's memory are
 * ignored.
 */
export function readFillRequest(body: JsonObject): JsonObject {
  const named = unsupportedFields.find((name) => !isNothing(body[name]));
  if (named !== undefined) throw new RequestProblem(named, `${named} is not supported together with suffix`);
  isStreamed(body);
  if (body['options'] != null && !isObject(body['options']))
    throw new RequestProblem('options', 'options must be an object');
  const options = objectAt(body, 'options');
  const numbers = carried.flatMap((name) => {
    const value = numberOf(options[name], `options.${name}`);
    return value === undefined ? [] : [[name, value] as const];
  });
  const stop = readStop(options['stop']);
  return {
    model: body['model'],
    prompt: requiredText(body['prompt'], 'prompt'),
    suffix: requiredText(body['suffix'], 'suffix'),
    max_tokens: outputLimitIn(body),
    ...Object.fromEntries(numbers),
    ...(stop.length > 0 && { stop }),
    stream: false,
  };
}

/** Converts OpenAI's completion to the last line of `/api/generate`, which contains the whole response. */
export function writeFillResponse(reply: JsonObject): JsonObject {
  const [choice] = listAt(reply, 'choices');
  const usage = objectAt(reply, 'usage');
  const [prompt, answer] = [numberAt(usage, 'prompt_tokens'), numberAt(usage, 'completion_tokens')];
  return {
    model: reply['model'],
    created_at: timeOf(numberAt(reply, 'created') ?? 0),
    response: textAt(choice, 'text'),
    done: true,
    done_reason: textAt(choice, 'finish_reason') || 'stop',
    ...(prompt !== undefined && { prompt_eval_count: prompt }),
    ...(answer !== undefined && { eval_count: answer }),
  };
}

/** Unix seconds in Ollama's format; some upstreams report invalid numbers. */
function timeOf(seconds: number): string {
  const time = new Date(seconds * 1000);
  return (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString();
}
