import { defaultOptions, logType } from '../../packages/contract/src/index.ts';
import { costOf } from '../../packages/relay/src/quota/cost.ts';
import { type Price, priceOf } from '../../packages/relay/src/quota/price.ts';
import { quotaOf } from '../../packages/relay/src/quota/quota-of.ts';
import { chargeDetail } from '../../packages/relay/src/run/charge-detail.ts';
import type { NewLog } from '../../packages/server/src/records/logs/log-repository.ts';
import { nonRequestValues } from '../../packages/server/src/records/logs/log-values.ts';
import type { DemoData } from './sample-data.ts';

const historyDays = 30;
const secondsPerHour = 3600;
const hours = historyDays * 24;
const busiestHour = 26;

/** Pseudo-random numbers in [0, 1) that are the same in every run. */
function sampleNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Random = () => number;

function someOf<Item>(items: readonly Item[], weightOf: (item: Item) => number, random: Random): Item {
  let left = random() * items.reduce((sum, item) => sum + weightOf(item), 0);
  for (const item of items) {
    left -= weightOf(item);
    if (left < 0) return item;
  }
  return items.at(-1) as Item;
}

/** Traffic level: high by day, low on weekends, and growing every week. */
function activityAt(second: number, age: number): number {
  const date = new Date(second * 1000);
  const hour = date.getUTCHours();
  const day = Math.max(0.06, Math.sin(((hour - 6) / 14) * Math.PI));
  const isWeekend = date.getUTCDay() % 6 === 0;
  return day * (isWeekend ? 0.3 : 1) * (0.5 + 0.5 * (1 - age / hours));
}

/** 30 days of requests, oldest first. The same shop, end and seed give the same history. */
export function* sampleHistory(shop: DemoData, end: number, seed = 7): Generator<NewLog> {
  const random = sampleNumbers(seed);
  let count = 0;
  for (let age = hours; age > 0; age -= 1) {
    const start = end - age * secondsPerHour;
    const requests = Math.round(busiestHour * activityAt(start, age) * (0.6 + 0.8 * random()));
    const times = Array.from({ length: requests }, () => start + Math.floor(random() * secondsPerHour));
    for (const at of times.sort((one, other) => one - other)) {
      count += 1;
      yield requestAt(at, count, shop, random);
    }
  }
}

function requestAt(at: number, count: number, shop: DemoData, random: Random): NewLog {
  const person = someOf(shop.people, ({ share }) => share, random);
  const group = person.group ?? 'default';
  const usable = shop.channels.filter((channel) => (channel.group ?? 'default').split(',').includes(group));
  const channel = someOf(
    usable,
    ({ behavior, weight = 1, share = weight }) => (behavior === 'broken' ? 0.15 : share),
    random,
  );
  const model = someOf(channel.models, (name) => (name.includes('mini') || name.includes('flash') ? 3 : 1), random);
  const price = priceOf(model, channel, group, defaultOptions);
  const isFailure = channel.behavior === 'broken' || random() < (channel.behavior === 'busy' ? 0.12 : 0.006);
  const about = {
    ...nonRequestValues,
    group,
    user_id: person.id,
    username: person.username,
    created_at: at,
    token_name: person.tokens[Math.floor(random() * person.tokens.length)] ?? '',
    model_name: model,
    request_id: `demo-${count.toString(16).padStart(8, '0')}`,
    is_stream: random() < 0.7 ? 1 : 0,
    system_prompt_reset: 0,
  };
  return isFailure
    ? { ...about, ...failure(channel, model, price, random) }
    : withFirstByte({ ...about, ...success(channel, model, price, random) }, random);
}

/** A stream's first byte arrives after a fraction of its duration. */
const withFirstByte = (log: NewLog, random: Random): NewLog =>
  log.is_stream ? { ...log, first_byte_time: Math.round(log.elapsed_time * (0.05 + 0.15 * random())) } : log;

type Channel = DemoData['channels'][number];

function success({ id, behavior, ...channel }: Channel, model: string, price: Price, random: Random) {
  const prompt = Math.round(400 + 40_000 * random() ** 3);
  const isLeft = random() < 0.02;
  const completion = Math.round((60 + 3000 * random() ** 2) * (isLeft ? 0.3 : 1));
  // Agents repeat nearly the same prompt.
  const cached = random() < 0.4 ? Math.round(prompt * 0.8 * random()) : 0;
  const parts = { cached, written: 0, writtenLong: 0, reasoning: 0 };
  const used = { prompt, completion, ...(cached > 0 && { parts }) };
  return {
    type: logType.consumption,
    content: isLeft ? 'Client disconnected' : '',
    channel: id,
    quota: quotaOf(used, price),
    prompt_tokens: prompt,
    completion_tokens: completion,
    cached_tokens: cached,
    cost: costOf(used, channel, { models: [model], pointsPerDollar: defaultOptions.QuotaPerUnit }),
    elapsed_time: Math.round((behavior === 'slow' ? 4200 : 500) + completion * 8 * (0.6 + random())),
    ended_by: isLeft ? 'client' : '',
    detail: chargeDetail({
      requested: model,
      hedges: [],
      isBudgetSpent: false,
      price,
      used,
      model,
      sentModel: model,
      attempts: [],
      dialect: 'openai-chat',
    }),
  } as const;
}

function failure({ id, behavior }: Channel, model: string, price: Price, random: Random) {
  const [status, words] =
    behavior === 'broken'
      ? ([401, 'Incorrect API key provided. You can find your API key in your account.'] as const)
      : ([503, 'The model is overloaded. Please try again later.'] as const);
  const ms = Math.round(80 + 400 * random());
  const used = { prompt: 0, completion: 0 };
  return {
    type: logType.failure,
    content: words,
    channel: id,
    quota: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    elapsed_time: ms,
    ended_by: 'upstream',
    status,
    reason: behavior === 'broken' ? 'key_rejected' : 'overloaded',
    detail: chargeDetail({
      requested: model,
      hedges: [],
      isBudgetSpent: false,
      price,
      used,
      model,
      sentModel: undefined,
      attempts: [{ channel: id, reason: words, status, start: 0, ms }],
      dialect: 'openai-chat',
    }),
  } as const;
}
