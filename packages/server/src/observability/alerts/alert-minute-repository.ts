import type { Database } from '../../platform/db/database.ts';
import type { MinuteRow } from './channel-minutes.ts';

const atOnce = 500;

/** Channel results of all nodes in the last minutes. */
export class AlertMinuteRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Replaces the node's rows for the same minutes. */
  async write(node: string, rows: readonly MinuteRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += atOnce) {
      await this.#database
        .insertInto('alert_minutes')
        .values(rows.slice(at, at + atOnce).map((row) => ({ ...row, node })))
        .onConflict((conflict) =>
          conflict.columns(['minute', 'node', 'channel']).doUpdateSet(({ ref }) => ({
            requests: ref('excluded.requests'),
            failures: ref('excluded.failures'),
            latencies: ref('excluded.latencies'),
          })),
        )
        .execute();
    }
  }

  since(minute: number): Promise<MinuteRow[]> {
    return this.#database
      .selectFrom('alert_minutes')
      .select(['minute', 'channel', 'requests', 'failures', 'latencies'])
      .where('minute', '>=', minute)
      .execute();
  }

  async removeBefore(minute: number): Promise<void> {
    await this.#database.deleteFrom('alert_minutes').where('minute', '<', minute).execute();
  }
}
