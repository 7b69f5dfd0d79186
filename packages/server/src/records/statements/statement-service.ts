import {
  maxNamedHeadings,
  maxStatementCredits,
  type Statement,
  type Usage,
  type UsageTotals,
} from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';
import { parseUsageCriteria, type UsageCriteria } from '../usage/usage-request.ts';
import type { CreditRepository } from './credit-repository.ts';
import { creditOf } from './statement-credits.ts';

interface StatementDependencies {
  readonly usage: { read(question: UsageCriteria): Promise<Usage> };
  readonly credits: CreditRepository;
}

interface StatementUser {
  readonly id: number;
  readonly username: string;
}

interface StatementTag {
  readonly tag: string;
  readonly tag_value: string;
}

interface Period {
  readonly start_timestamp: number;
  readonly end_timestamp: number;
}

/** Statements: usage by model from the rollups, and dated credits from the logs. */
export class StatementService {
  readonly #dependencies: StatementDependencies;

  constructor(dependencies: StatementDependencies) {
    this.#dependencies = dependencies;
  }

  /** With a tag, such as a member of an organization: only the requests with that tag, without credits. */
  async of({ id, username }: StatementUser, period: Period, tag?: StatementTag): Promise<Statement> {
    const { usage, credits } = this.#dependencies;
    const names = { model_name: '', token_name: '', group: '' };
    const shape = { rows: 'model', columns: '', measure: 'quota', top: maxNamedHeadings, zone: 'UTC' } as const;
    const { from, to, rows, total } = await usage.read(
      parseUsageCriteria({ ...period, ...names, ...shape, user_id: id, ...tag }),
    );
    const { start_timestamp, end_timestamp } = period;
    const span = { userId: id, from: start_timestamp, to: end_timestamp };
    const logs = tag ? [] : await credits.within(span, maxStatementCredits + 1);
    // A statement that omits credits would have a wrong total.
    if (logs.length > maxStatementCredits) throw new ApiError('usageTooFine');
    const credited = logs.map(creditOf);
    return {
      user_id: id,
      username,
      from,
      to,
      models: rows.map(({ label, total: sums }) => ({ model: label, ...sumsOf(sums) })),
      total: sumsOf(total),
      credits: credited,
      credited: credited.reduce((sum, { amount }) => sum + (amount ?? 0), 0),
    };
  }
}

/** Omits the operator's cost. */
const sumsOf = ({ requests, failures, prompt_tokens, completion_tokens, quota }: UsageTotals) => ({
  requests,
  failures,
  prompt_tokens,
  completion_tokens,
  quota,
});
