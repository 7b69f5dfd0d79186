import type { NewLog } from '../../packages/server/src/records/logs/log-repository.ts';
import { nonRequestValues } from '../../packages/server/src/records/logs/log-values.ts';

export interface SampleSize {
  readonly logs: number;
  readonly users: number;
  readonly tokensPerUser: number;
}

const days = 90;
const secondsPerDay = 86_400;

/** Time span of the logs. */
export const sampleSeconds = days * secondsPerDay;

const modelCount = 30;
const channelCount = 40;
const modelsPerUser = 3;
const channelsPerModel = 4;

/** Pseudo-random numbers in [0, 1) that are the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Zipf-distributed integers below `count`: the n-th is 1/n as frequent as the first. */
export function zipf(count: number, random: () => number): () => number {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let index = 0; index < count; index += 1) {
    sum += 1 / (index + 1);
    sums[index] = sum;
  }
  return () => {
    const wanted = random() * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

export const usernameOf = (user: number): string => `user${user}`;

/** A user's first token has the default name. */
export const tokenNameOf = (user: number, token: number): string => (token === 0 ? 'default' : `key-${user}-${token}`);

export const modelNameOf = (model: number): string => `model-${model}`;

/** Log types and their frequency in percent: requests, failed ones, and the rest. */
const types = [
  { type: 2, percent: 94 },
  { type: 5, percent: 3 },
  { type: 3, percent: 1 },
  { type: 1, percent: 1 },
  { type: 4, percent: 1 },
] as const;

const typeByPercent = types.flatMap(({ type, percent }) => Array<number>(percent).fill(type));

/** Log entries of 90 days, oldest first: a few users make most of them, each with a few models. */
export function* sampleLogs({ logs, users, tokensPerUser }: SampleSize, end: number): Generator<NewLog> {
  const random = seededRandom(1);
  const upTo = (max: number) => Math.floor(random() * max);
  const someUser = zipf(users, random);
  const someToken = zipf(tokensPerUser, random);
  for (let index = 0; index < logs; index += 1) {
    const user = someUser() + 1;
    const type = typeByPercent[upTo(100)] ?? 2;
    yield {
      user_id: user,
      username: usernameOf(user),
      created_at: end - sampleSeconds + Math.floor((index * sampleSeconds) / logs),
      type,
      request_id: `019a8f${index.toString(16).padStart(10, '0')}-4c1d-9f2e`,
      system_prompt_reset: 0,
      ended_by: '',
      ...nonRequestValues,
      ...(type === 2 || type === 5 ? request(user, type, someToken(), upTo) : event(user, index)),
    };
  }
}

function request(user: number, type: number, token: number, upTo: (max: number) => number) {
  const model = (user * 7 + upTo(modelsPerUser) ** 2) % modelCount;
  const [prompt_tokens, completion_tokens] = type === 2 ? [upTo(4000), upTo(1000)] : [0, 0];
  return {
    content: '',
    token_name: tokenNameOf(user, token),
    model_name: modelNameOf(model),
    channel: 1 + ((model * 3 + upTo(channelsPerModel)) % channelCount),
    quota: prompt_tokens + 4 * completion_tokens,
    prompt_tokens,
    completion_tokens,
    group: 'default',
    elapsed_time: 1 + upTo(20_000),
    first_byte_time: 1 + upTo(2000),
    is_stream: 1,
    detail: '{"modelRatio":1,"groupRatio":1,"completionRatio":4,"attempts":[1]}',
  };
}

const event = (user: number, index: number) => ({
  content: `Event ${index} of ${usernameOf(user)}, with a sentence of typical length`,
  token_name: '',
  model_name: '',
  channel: 0,
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  elapsed_time: 0,
  is_stream: 0,
  detail: '{"event":"user.registered","values":{}}',
});
