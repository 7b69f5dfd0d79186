import {
  neverExpires,
  type Parsed,
  type TokenBulkChange,
  type TokenFilter,
  type tokenBulkApi,
  tokenStatus,
} from '@headgate/contract';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { ApiError, type Language } from '../../platform/errors/api-error.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { BulkRunService } from '../../records/bulk/bulk-run-service.ts';
import { ColumnBulkService } from '../../records/bulk/column-bulk-service.ts';
import type { StoredToken, TokenBulkRepository } from './token-bulk-repository.ts';
import type { TokenRepository } from './token-repository.ts';
import { rejectLocked } from './token-validation.ts';

type BulkRequest = Parsed<typeof tokenBulkApi.run>['body'];

interface TokenBulkDependencies {
  readonly tokens: TokenRepository;
  readonly bulk: TokenBulkRepository;
  readonly runs: BulkRunService;
  readonly inTransaction: InTransaction;
}

/** Bulk edits of one user's own tokens. */
export class TokenBulkService {
  readonly #tokens: TokenRepository;
  readonly #bulk: TokenBulkRepository;
  readonly #runs: BulkRunService;
  readonly #inTransaction: InTransaction;

  constructor({ tokens, bulk, runs, inTransaction }: TokenBulkDependencies) {
    this.#tokens = tokens;
    this.#bulk = bulk;
    this.#runs = runs;
    this.#inTransaction = inTransaction;
  }

  run(userId: number, order: BulkRequest, language: Language) {
    return this.#of(userId).run(order, language);
  }

  undo(userId: number, id: string, language: Language) {
    return this.#of(userId).undo(id, language);
  }

  #of(userId: number) {
    return new ColumnBulkService<StoredToken, TokenFilter, TokenBulkChange>({
      subject: `token of ${userId}`,
      // Low, because every user can start runs, and each may cover all of the user's tokens.
      keptRuns: 2,
      rowsIn: (transaction) => this.#bulk.of(userId, transaction),
      columnsOf,
      onWritten: async (transaction, rows) => {
        const tokens = this.#tokens.within(transaction);
        // An admin may have disabled a token since, and an undo must not enable it.
        const locked = await tokens.enabledLocked(rows.map(({ id }) => id));
        if (locked) rejectLocked(locked);
        const wereDisabled = rows.filter(({ status }) => status === tokenStatus.disabled).map(({ id }) => id);
        const isOwnerLocked = wereDisabled.length > 0 && (await tokens.isOwnerLocked(userId));
        if (isOwnerLocked && (await tokens.isAnyEnabled(wereDisabled))) throw new ApiError('userTokensLocked');
        for (const { id } of rows) transaction.changed(`token:${id}`);
      },
      runs: this.#runs,
      inTransaction: this.#inTransaction,
    });
  }
}

function columnsOf(row: StoredToken, change: TokenBulkChange) {
  switch (change.kind) {
    case 'status':
      if (change.status === tokenStatus.enabled) {
        rejectLocked(row);
        rejectUnusableToken(row);
      }
      return { status: change.status };
    case 'expiry':
      if (change.expired_time !== row.expired_time && isPast(change.expired_time)) throw new ApiError('expiryInPast');
      return { expired_time: change.expired_time };
    case 'quota':
      return change.remain_quota === null
        ? { unlimited_quota: 1 }
        : { unlimited_quota: 0, remain_quota: change.remain_quota };
    case 'models':
      return { models: change.models };
    case 'note':
      return { note: change.note };
    default:
      return 'delete' as const;
  }
}

const isPast = (expiry: number): boolean => expiry !== neverExpires && expiry <= nowInSeconds();

/** An expired or exhausted token cannot be enabled. */
function rejectUnusableToken({ expired_time, unlimited_quota, remain_quota }: StoredToken): void {
  if (isPast(expired_time)) throw new ApiError('tokenExpired');
  if (unlimited_quota === 0 && remain_quota <= 0) throw new ApiError('tokenExhausted');
}
