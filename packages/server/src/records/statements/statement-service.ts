import {
  maxNamedHeadings,
  maxStatementCredits,
  type Statement,
  type Usage,
  type UsageTotals,
} from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';
import { parseUsageCriteria, type UsageCriteria } from '../usage/usage-request.ts';
import type { BalanceRepository, BalanceSnapshot } from './balance-repository.ts';
import type { CreditRepository } from './credit-repository.ts';
import { type StatementBalances, statementBalances } from './statement-balances.ts';
import { creditOf } from './statement-credits.ts';

interface StatementDependencies {
  readonly usage: { read(question: UsageCriteria): Promise<Usage> };
  readonly credits: CreditRepository;
  readonly balances: BalanceRepository;
}

interface StatementUser {
  readonly id: number;
  readonly username: string;
}

interface StatementTag {
  readonly tag: string;
  readonly tag_value: string;
}

/** A statement without its document. */
type UsageStatement = Omit<Statement, 'document'>;

/** Reads statements. If a tag is given, such as an organization's member: only the requests with that tag. */
export interface StatementReader<Read = Statement> {
  of(user: StatementUser, period: StatementPeriod, tag?: StatementTag): Promise<Read>;
}

export interface StatementPeriod {
  readonly start_timestamp: number;
  readonly end_timestamp: number;
}

/** Usage and balances that were read at different times may not match if a request was charged meanwhile. */
const maxAttempts = 5;

/** Balances are omitted if there are more credits than this since the start of the statement. */
const maxBalanceCredits = 10_000;

const noBalances: StatementBalances = { opening: null, closing: null, planned: 0 };

/** Statements: usage by model from the rollups, dated credits from the logs, and the balances before and after. */
export class StatementService implements StatementReader<UsageStatement> {
  readonly #dependencies: StatementDependencies;

  constructor(dependencies: StatementDependencies) {
    this.#dependencies = dependencies;
  }

  /** If a tag is given, such as an organization's member: only the requests with that tag, and no credits. */
  async of(user: StatementUser, period: StatementPeriod, tag?: StatementTag): Promise<UsageStatement> {
    if (tag) return { ...(await this.#usageOf(user, period, tag)), credits: [], credited: 0, ...noBalances };
    const { start_timestamp: from, end_timestamp: to } = period;
    const rows = await this.#dependencies.credits.within({ userId: user.id, from, to }, maxStatementCredits + 1);
    // A statement that omits credits would have a wrong total.
    if (rows.length > maxStatementCredits) throw new ApiError('usageTooFine');
    const credits = rows.map(creditOf);
    const credited = credits.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
    for (let attempt = 1; ; attempt += 1) {
      const usage = await this.#usageOf(user, period);
      const balances = await this.#balancesOf(user, period, usage);
      const isExact = isMatching({ ...usage, ...balances, credited });
      if (isExact || attempt === maxAttempts)
        return { ...usage, credits, credited, ...(isExact ? balances : { ...noBalances, planned: balances.planned }) };
    }
  }

  async #usageOf({ id, username }: StatementUser, period: StatementPeriod, tag?: StatementTag) {
    const names = { model_name: '', token_name: '', group: '' };
    const shape = { rows: 'model', columns: '', measure: 'quota', top: maxNamedHeadings, zone: 'UTC' } as const;
    const criteria = parseUsageCriteria({ ...period, ...names, ...shape, user_id: id, ...tag });
    const { from, to, rows, total } = await this.#dependencies.usage.read(criteria);
    return {
      user_id: id,
      username,
      from,
      to,
      models: rows.map(({ label, total: sums }) => ({ model: label, ...sumsOf(sums) })),
      total: sumsOf(total),
    };
  }

  async #balancesOf(
    { id: userId }: StatementUser,
    { start_timestamp, end_timestamp }: StatementPeriod,
    hours: HourSpan,
  ) {
    const { balances, credits } = this.#dependencies;
    const snapshot = await balances.snapshot({ userId, from: hours.from, to: hours.to });
    const since = { userId, from: start_timestamp, to: Number.MAX_SAFE_INTEGER };
    const rows = await credits.within(since, maxBalanceCredits + 1);
    const after = await balances.snapshot({ userId, from: hours.from, to: hours.to });
    if (!snapshot || !isSameCredit(snapshot, after) || rows.length > maxBalanceCredits) return noBalances;
    return statementBalances({ snapshot, credits: rows.map(creditOf), to: end_timestamp });
  }
}

/** First and last second, in whole hours. */
type HourSpan = Pick<Statement, 'from' | 'to'>;

const isSameCredit = (before: BalanceSnapshot, after: BalanceSnapshot | undefined): boolean =>
  before.credited === after?.credited;

/** True if opening + credits − charges = closing, or if a balance is unknown. */
const isMatching = ({ opening, closing, planned, credited, total }: StatementBalances & ShownSums): boolean =>
  opening === null || closing === null || opening + credited - (total.quota - planned) === closing;

type ShownSums = Pick<Statement, 'credited' | 'total'>;

/** Omits the operator's cost. */
const sumsOf = ({ requests, failures, prompt_tokens, completion_tokens, quota }: UsageTotals) => ({
  requests,
  failures,
  prompt_tokens,
  completion_tokens,
  quota,
});
