import { logType, type StoredPayloads } from '@headgate/contract';
import { requireHigherRole } from '../../accounts/users/user-authority.ts';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { ApiError, type ApiErrorCode } from '../../platform/errors/api-error.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { EventRecord, LogService } from '../../records/logs/log-service.ts';
import type { PayloadRepository, PayloadRow } from './payload-repository.ts';
import type { PayloadSettingRepository } from './payload-setting-repository.ts';

interface PayloadServiceDependencies {
  readonly bodies: PayloadRepository;
  readonly people: Pick<PayloadSettingRepository, 'person'>;
  readonly open: (row: PayloadRow) => Promise<StoredPayloads>;
  /** Waits for pending writes of this node. */
  readonly catchUp: () => Promise<void>;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly onDamaged: (error: unknown, requestId: string) => void;
}

/** Shows and deletes stored payloads, for their owner and for admins with a higher role. Access by admins is logged. */
export class PayloadService {
  readonly #dependencies: PayloadServiceDependencies;

  constructor(dependencies: PayloadServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Payloads of other users are reported as not stored. */
  async readOwn(user: UserRow, requestId: string): Promise<StoredPayloads> {
    const row = await this.#find(requestId);
    if (row.user_id !== user.id) throw new ApiError('bodyNotKept');
    return this.#open(row);
  }

  /** The access is logged before the payload is returned. */
  async read(admin: UserRow, requestId: string): Promise<StoredPayloads> {
    const row = await this.#find(requestId);
    if (row.user_id !== admin.id) {
      const record = await this.#record(admin, row.user_id, { requestId, error: 'readEqualOrHigher' });
      const { logs, inTransaction } = this.#dependencies;
      await inTransaction((transaction) => logs.record(transaction, record('body.read')));
    }
    return this.#open(row);
  }

  async forgetOneOwn(user: UserRow, requestId: string): Promise<void> {
    const { bodies, catchUp } = this.#dependencies;
    await catchUp();
    const owner = await bodies.owner(requestId);
    if (owner?.user_id !== user.id || !(await bodies.remove(requestId))) throw new ApiError('bodyNotKept');
  }

  async forgetOne(admin: UserRow, requestId: string): Promise<void> {
    const { bodies, catchUp, logs, inTransaction } = this.#dependencies;
    await catchUp();
    const owner = await bodies.owner(requestId);
    if (!owner) throw new ApiError('bodyNotKept');
    if (owner.user_id === admin.id) return this.forgetOneOwn(admin, requestId);
    const record = await this.#record(admin, owner.user_id, { requestId, error: 'editEqualOrHigher' });
    await inTransaction(async (transaction) => {
      if (!(await bodies.within(transaction).remove(requestId))) throw new ApiError('bodyNotKept');
      await logs.record(transaction, record('body.forgotten'));
    });
  }

  async forgetOwn(user: UserRow): Promise<number> {
    await this.#dependencies.catchUp();
    return this.#dependencies.bodies.removeOfUser(user.id);
  }

  async forgetOf(admin: UserRow, id: number): Promise<number> {
    if (admin.id === id) return this.forgetOwn(admin);
    const { bodies, catchUp, logs, inTransaction } = this.#dependencies;
    const record = await this.#record(admin, id, { requestId: '', error: 'editEqualOrHigher' });
    await catchUp();
    return inTransaction(async (transaction) => {
      const count = await bodies.within(transaction).removeOfUser(id);
      if (count > 0) await logs.record(transaction, record('body.all_forgotten', count));
      return count;
    });
  }

  async #find(requestId: string): Promise<PayloadRow> {
    await this.#dependencies.catchUp();
    const row = await this.#dependencies.bodies.find(requestId, nowInSeconds());
    if (!row) throw new ApiError('bodyNotKept');
    return row;
  }

  async #open(row: PayloadRow): Promise<StoredPayloads> {
    const { open, onDamaged } = this.#dependencies;
    try {
      return await open(row);
    } catch (error) {
      onDamaged(error, row.request_id);
      throw new ApiError('bodyDamaged');
    }
  }

  async #record(
    admin: UserRow,
    id: number,
    { requestId, error }: { readonly requestId: string; readonly error: ApiErrorCode },
  ): Promise<(event: EventRecord['event'], count?: number) => EventRecord> {
    const user = await this.#dependencies.people.person(id);
    if (!user) throw new ApiError('unknownUser');
    requireHigherRole(admin, user, error);
    return (event, count = 1) => ({
      type: logType.management,
      event,
      user,
      values: { admin: admin.username, user: user.username, request: requestId, count },
    });
  }
}
