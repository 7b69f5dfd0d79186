import * as z from 'zod/mini';
import { statementDocument } from '../payments/invoice.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, queryInteger } from '../wire/list.ts';

const daySeconds = 86_400;
/** Longest period of a statement, in days. */
export const maxStatementDays = 370;
/** Maximum number of credits in a statement. */
export const maxStatementCredits = 1000;

const sums = {
  requests: z.int(),
  failures: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  quota: z.int(),
} as const;

const statementModel = z.object({
  /** Empty: all other models. */
  model: z.string(),
  ...sums,
});

/** A change of the balance other than a request. */
const statementCredit = z.object({
  time: z.int(),
  /** English sentence. */
  content: z.string(),
  /** Event and values of the sentence as JSON text, for translation; empty: unknown. */
  detail: z.string(),
  /** Change in points; null: not recorded by the version that wrote the log. */
  amount: z.nullable(z.int()),
});
export type StatementCredit = z.infer<typeof statementCredit>;

/** Usage by model and credits of one user in a period. */
export const statement = z.object({
  user_id: z.int(),
  username: z.string(),
  /** First and last second, in whole hours. */
  from: z.int(),
  to: z.int(),
  models: z.array(statementModel),
  total: z.object(sums),
  /** Oldest first. */
  credits: z.array(statementCredit),
  /** Sum of the known amounts of the credits. */
  credited: z.int(),
  /** Usage paid for by plans. */
  planned: z._default(z.int(), 0),
  /** Balance at the start; null: unknown. */
  opening: z._default(z.nullable(z.int()), null),
  /** opening + credited − total.quota + planned */
  closing: z._default(z.nullable(z.int()), null),
  /** Null without a seller, tax and document numbers, and for a part of the usage. */
  document: z._default(z.nullable(statementDocument), null),
});
export type Statement = z.infer<typeof statement>;

const time = queryInteger(1, Number.MAX_SAFE_INTEGER);
interface Period {
  readonly start_timestamp: number;
  readonly end_timestamp: number;
}

/** First and last second of a statement. */
export const statementTimes = { start_timestamp: time, end_timestamp: time } as const;

/** A valid period: start before end, and not too long. */
export const statementPeriodCheck = z.refine<Period>(
  ({ start_timestamp, end_timestamp }) =>
    end_timestamp >= start_timestamp && end_timestamp - start_timestamp <= maxStatementDays * daySeconds,
  { path: ['end_timestamp'] },
);

const period = z.object(statementTimes).check(statementPeriodCheck);

export const statementApi = {
  own: { method: 'GET', path: '/api/user/self/statement', access: 'user', query: period, reply: statement },
  read: {
    method: 'GET',
    path: '/api/user/:id/statement',
    access: 'admin',
    params: idParams,
    query: period,
    reply: statement,
  },
} as const satisfies EndpointTable;
