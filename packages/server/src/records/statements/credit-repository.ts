import { type LogEvent, logType } from '@headgate/contract';
import type { Database } from '../../platform/db/database.ts';
import type { LogRow } from '../../platform/db/rows.ts';

interface CreditPeriod {
  readonly userId: number;
  readonly from: number;
  readonly to: number;
}

export type CreditRow = Pick<LogRow, 'created_at' | 'type' | 'content' | 'quota' | 'detail'>;

/** Events other than top-ups that change a balance. The detail of a log entry starts with its event. */
const creditEvents: readonly LogEvent[] = [
  'user.gift',
  'user.invited',
  'user.inviter',
  'user.checked_in',
  'referral.transferred',
  'user.quota',
  'user.quota_taken',
  'order.taken',
  'order.restored',
  'organization.transfer_sent',
];

const creditTypes: readonly number[] = [logType.topUp, logType.management, logType.system];

/** Logs about a user's balance, apart from requests. */
export class CreditRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Oldest first. */
  within({ userId, from, to }: CreditPeriod, limit: number): Promise<CreditRow[]> {
    return (
      this.#database
        .selectFrom('logs')
        .select(['created_at', 'type', 'content', 'quota', 'detail'])
        .where('user_id', '=', userId)
        .where('created_at', '>=', from)
        .where('created_at', '<=', to)
        // Requests, which are nearly all logs of a user, are not compared with the events.
        .where('type', 'in', creditTypes)
        .where((where) =>
          where.or([
            where('type', '=', logType.topUp),
            ...creditEvents.map((event) => where('detail', 'like', `{"event":"${event}"%`)),
          ]),
        )
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .execute()
    );
  }
}
