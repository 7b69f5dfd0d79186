import type { NewLog } from '../../records/logs/log-repository.ts';
import { sampleHour } from './sample-logs.ts';

/** More users than a search by name can be narrowed down to. */
const manyUsers = 60;

/** One log of every user under the same token name, so that the name does not narrow a search. */
export const createLogPerUser = (token_name: string, at = sampleHour): Partial<NewLog>[] =>
  Array.from({ length: manyUsers }, (_, index) => ({
    created_at: at + index,
    user_id: 1001 + index,
    username: `user${1001 + index}`,
    token_name,
    quota: 7,
    cost: 3,
  }));

/** A log of one of these users, under a token name that all, some or none of the others share. */
export function randomSharedLog(upTo: (max: number) => number, from: number, seconds: number): Partial<NewLog> {
  const type = [2, 2, 2, 5, 3][upTo(5)] ?? 2;
  const user_id = 1001 + upTo(manyUsers);
  const spent = type === 2 ? 1 : 0;
  return {
    created_at: from + upTo(seconds),
    type,
    user_id,
    username: `user${user_id}`,
    token_name: ['', 'default', 'default', 'second', `own${user_id}`][upTo(5)] ?? '',
    model_name: ['', 'a', 'b'][upTo(3)] ?? '',
    channel: upTo(3),
    group: ['', 'vip'][upTo(2)] ?? '',
    quota: spent * (1 + upTo(1000)),
    prompt_tokens: spent * upTo(300),
    cost: spent * (1 + upTo(70_000)),
  };
}
