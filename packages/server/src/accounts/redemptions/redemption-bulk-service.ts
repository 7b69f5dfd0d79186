import {
  type Parsed,
  type RedemptionBulkChange,
  type RedemptionFilter,
  type redemptionBulkApi,
  redemptionStatus,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { ApiError, type Language } from '../../platform/errors/api-error.ts';
import type { BulkRunService } from '../../records/bulk/bulk-run-service.ts';
import { ColumnBulkService } from '../../records/bulk/column-bulk-service.ts';
import { changeText } from '../../records/bulk/field-change.ts';
import { adminEvent, type LogService } from '../../records/logs/log-service.ts';
import type { RedemptionBulkRepository } from './redemption-bulk-repository.ts';
import type { RedemptionRow } from './redemption-repository.ts';

type BulkRequest = Parsed<typeof redemptionBulkApi.run>['body'];

interface RedemptionBulkDependencies {
  readonly bulk: RedemptionBulkRepository;
  readonly runs: BulkRunService;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
}

/** Bulk edits of redemption codes. Used codes are never changed. */
export class RedemptionBulkService {
  readonly #dependencies: RedemptionBulkDependencies;

  constructor(dependencies: RedemptionBulkDependencies) {
    this.#dependencies = dependencies;
  }

  run(admin: UserRow, order: BulkRequest, language: Language) {
    return this.#by(admin).run(order, language);
  }

  undo(admin: UserRow, id: string, language: Language) {
    return this.#by(admin).undo(id, language);
  }

  #by(admin: UserRow) {
    const { bulk, runs, logs, inTransaction } = this.#dependencies;
    return new ColumnBulkService<RedemptionRow, RedemptionFilter, RedemptionBulkChange>({
      subject: 'redemption',
      rowsIn: (transaction) => bulk.in(transaction),
      columnsOf,
      onWritten: async (transaction, _, plan) => {
        const records = plan.map(({ id, changes }) => {
          const isDeleted = changes.some(({ field }) => field === 'deleted');
          return isDeleted
            ? adminEvent(admin, 'redemption.deleted', { id })
            : adminEvent(admin, 'redemption.updated', { id, fields: changes.map(changeText).join(', ') });
        });
        await logs.recordBulk(transaction, { event: 'redemption.bulk', admin }, records);
      },
      runs,
      inTransaction,
    });
  }
}

function columnsOf({ status }: RedemptionRow, change: RedemptionBulkChange) {
  if (change.kind === 'delete') return 'delete';
  if (status === redemptionStatus.used) throw new ApiError('redemptionIsUsed');
  return { status: change.status };
}
