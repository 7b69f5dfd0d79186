import {
  type LogExport,
  type logExportApi,
  logExportFields,
  logType,
  maxLogExports,
  type Parsed,
} from '@headgate/contract';
import type { LogRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { adminEvent, type LogService, type LogUser } from '../../records/logs/log-service.ts';
import { nonRequestValues } from '../../records/logs/log-values.ts';
import type { DestinationSettings } from '../alerts/destinations/destination-protocol.ts';
import { presentFields, readFields, redactSecrets } from '../alerts/destinations/destination-settings.ts';
import { openSettings, unreadableSettingsError } from '../alerts/destinations/stored-settings.ts';
import { exportDestinations } from './export-destinations.ts';
import type { LogBatch } from './log-batch.ts';
import type { LogDestinationRepository, LogDestinationRow } from './log-destination-repository.ts';

interface LogDestinationServiceDependencies {
  readonly exports: LogDestinationRepository;
  readonly logs: LogService;
  /** Id of the newest log. */
  readonly lastLogId: () => Promise<number>;
  readonly lagOf: (row: LogDestinationRow) => Promise<number>;
  readonly box: SecretBox;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
  readonly exportsDir: string;
  /** Type of a channel; undefined if it is unknown. */
  readonly typeOf: (channel: number) => number | undefined;
}

type Given = Parsed<typeof logExportApi.add>['body'];
type Change = Parsed<typeof logExportApi.update>['body'];
type Event = 'log_export.added' | 'log_export.changed' | 'log_export.removed';

/** Destinations of log exports. No response or log entry contains a secret. */
export class LogDestinationService {
  readonly #dependencies: LogDestinationServiceDependencies;

  constructor(dependencies: LogDestinationServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async list(): Promise<LogExport[]> {
    const rows = await this.#dependencies.exports.all();
    return Promise.all(rows.map((row) => this.#present(row)));
  }

  /** All destinations with their secrets. */
  async openAll() {
    const rows = await this.#dependencies.exports.all();
    return rows.map((row) => ({ ...row, enabled: row.enabled === 1, settings: this.#settingsOf(row) }));
  }

  async get(id: number): Promise<LogExport> {
    return this.#present((await this.#dependencies.exports.find(id)) ?? notFound());
  }

  async add(admin: LogUser, { kind, name, enabled, from, settings }: Given): Promise<LogExport> {
    const { exports, box, inTransaction, lastLogId } = this.#dependencies;
    const read = readFields(kind, logExportFields(kind), settings, {});
    exportDestinations[kind].check(read);
    const cursor_id = from === 'start' ? 0 : await lastLogId();
    const row = await inTransaction(async (transaction) => {
      const rows = exports.within(transaction);
      const added = await rows.insert({
        ...{ kind, name, enabled: Number(enabled), cursor_id, created_time: nowInSeconds() },
        settings_sealed: box.seal(JSON.stringify(read)),
      });
      // Checked after the insert, so that concurrent requests cannot exceed the limit.
      if ((await rows.all()).length > maxLogExports)
        throw new ApiError('tooManyReceivers', { max: String(maxLogExports) });
      await this.#record(transaction, admin, added, 'log_export.added');
      return added;
    });
    return this.#present(row);
  }

  async update(admin: LogUser, id: number, { name, enabled, settings }: Change): Promise<LogExport> {
    const { exports, box, inTransaction, managed } = this.#dependencies;
    const row = await inTransaction(async (transaction) => {
      await managed.rejectRow(transaction, 'logExport', id);
      const rows = exports.within(transaction);
      const before = (await rows.find(id)) ?? notFound();
      const { kind } = before;
      const stored = this.#settingsOf(before);
      const read = readFields(kind, logExportFields(kind), settings, stored);
      exportDestinations[kind].check(read);
      const text = JSON.stringify(read);
      // Unchanged settings are not encrypted again.
      const isSame = JSON.stringify(stored) === text;
      if (isSame && name === before.name && Number(enabled) === before.enabled) return before;
      const changed = await rows.update(id, {
        ...{ name, enabled: Number(enabled), next_time: 0, tries: 0 },
        ...(!isSame && { settings_sealed: box.seal(text) }),
      });
      await this.#record(transaction, admin, changed ?? notFound(), 'log_export.changed');
      return changed ?? notFound();
    });
    return this.#present(row);
  }

  remove(admin: LogUser, id: number): Promise<void> {
    const { exports, inTransaction, managed } = this.#dependencies;
    return inTransaction(async (transaction) => {
      await managed.rejectRow(transaction, 'logExport', id);
      const row = (await exports.within(transaction).find(id)) ?? notFound();
      await exports.within(transaction).remove(id);
      await this.#record(transaction, admin, row, 'log_export.removed');
    });
  }

  /** Sends one sample log with id 0. */
  async test(id: number) {
    const row = (await this.#dependencies.exports.find(id)) ?? notFound();
    const began = performance.now();
    const response = await this.send(row, sampleBatch(nowInSeconds())).then(
      (text) => ({ ok: true, answer: this.#redacted(row, text) }),
      (error: unknown) => ({ ok: false, answer: this.describe(row, error) }),
    );
    return { ...response, ms: Math.max(1, Math.round(performance.now() - began)) };
  }

  /** Sends a batch; throws if it may not have been stored. */
  async send(row: LogDestinationRow, batch: LogBatch): Promise<string> {
    const { exportsDir, typeOf } = this.#dependencies;
    const settings = openSettings(this.#dependencies.box, row.settings_sealed);
    if (!settings) throw unreadableSettingsError();
    return exportDestinations[row.kind].send(batch, { id: row.id, settings, exportsDir, typeOf, nowMs: Date.now() });
  }

  /** Error text without secrets. */
  describe(row: LogDestinationRow, error: unknown): string {
    return this.#redacted(row, error instanceof Error ? error.message : String(error));
  }

  #redacted(row: LogDestinationRow, text: string): string {
    return redactSecrets(text, logExportFields(row.kind), this.#settingsOf(row));
  }

  /** Empty if they cannot be read, so that they can be entered again. */
  #settingsOf({ settings_sealed }: LogDestinationRow): DestinationSettings {
    return openSettings(this.#dependencies.box, settings_sealed) ?? {};
  }

  async #present(row: LogDestinationRow): Promise<LogExport> {
    const { settings_sealed: _s, tries: _t, next_time: _n, leased_ms: _l, ...shown } = row;
    const lag = await this.#dependencies.lagOf(row);
    const fields = presentFields(logExportFields(row.kind), this.#settingsOf(row));
    return { ...shown, enabled: row.enabled === 1, lag, ...fields };
  }

  async #record(transaction: Transaction, admin: LogUser, { name }: LogDestinationRow, event: Event): Promise<void> {
    await this.#dependencies.logs.record(transaction, adminEvent(admin, event, { name }));
  }
}

function sampleBatch(now: number): LogBatch {
  const row: LogRow = {
    ...nonRequestValues,
    ...{ id: 0, user_id: 0, created_at: now, type: logType.system, content: 'Test of the log export', username: '' },
    ...{ token_name: '', model_name: '', quota: 0, prompt_tokens: 0, completion_tokens: 0, channel: 0, request_id: '' },
    ...{ elapsed_time: 0, is_stream: 0, system_prompt_reset: 0, detail: '', ended_by: '' },
  };
  return { key: 'logs/test.ndjson.gz', firstId: 0, lastId: 0, rows: [row] };
}

function notFound(): never {
  throw new ApiError('notFound');
}
