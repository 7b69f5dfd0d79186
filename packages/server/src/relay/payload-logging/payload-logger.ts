import type { IncomingHttpHeaders } from 'node:http';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { type CapturedPayload, PayloadCapture } from './payload-capture.ts';
import { selectStorableHeaders } from './payload-headers.ts';
import type { PayloadRow } from './payload-repository.ts';
import type { PayloadSettingTable } from './payload-setting-table.ts';
import type { StorageQuota } from './storage-quota.ts';

interface PayloadLoggerDependencies {
  readonly table: Pick<PayloadSettingTable, 'isOn' | 'find'>;
  readonly seal: (bodies: CapturedPayload) => Promise<PayloadRow>;
  readonly insert: (rows: readonly PayloadRow[]) => Promise<void>;
  readonly room: Pick<StorageQuota, 'take'>;
  readonly onFailure: (error: unknown) => void;
  /** Memory limit for payloads waiting to be stored; 32 MB by default. */
  readonly maxBytes?: number | undefined;
}

interface PayloadCaller {
  readonly tokenId: number;
  readonly userId: number;
}

/** A request as received. */
interface LoggedRequest {
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const defaultMaxBytes = 32 * 1024 * 1024;
/** Rows per statement. SQLite blocks other writes during a statement. */
const rowsAtOnce = 16;
const bytesAtOnce = 1024 * 1024;

/** Copies the payloads of callers with payload logging and stores them after the response, separately from charges. */
export class PayloadLogger {
  readonly #dependencies: PayloadLoggerDependencies;
  readonly #maxBytes: number;
  #queue: CapturedPayload[] = [];
  #heldBytes = 0;
  #writing: Promise<void> | undefined;
  kept = 0;
  /**
   * Dropped payloads by cause. `memory`: copied faster than stored; `room`: storage limit reached; `failed`: rejected
   * by the database.
   */
  readonly dropped = { memory: 0, room: 0, failed: 0 };

  constructor(dependencies: PayloadLoggerDependencies) {
    this.#dependencies = dependencies;
    this.#maxBytes = dependencies.maxBytes ?? defaultMaxBytes;
  }

  /** Undefined if payload logging is off for the caller, the most common case. */
  begin({ tokenId, userId }: PayloadCaller, { requestId, headers, body }: LoggedRequest): PayloadCapture | undefined {
    const { table } = this.#dependencies;
    if (!table.isOn) return undefined;
    const keeping = table.find(tokenId, userId);
    if (!keeping) return undefined;
    const createdTime = nowInSeconds();
    const times = { createdTime, expiresTime: createdTime + keeping.seconds };
    const request = { requestId, tokenId, userId, ...times, headers: selectStorableHeaders(headers) };
    return new PayloadCapture(request, body, keeping, {
      memory: this.#memory,
      onCaptured: (bodies) => this.#add(bodies),
      onDropped: () => {
        this.dropped.memory += 1;
      },
    });
  }

  /** Waits until all payloads of requests that ended before the call are stored or dropped. */
  async catchUp(): Promise<void> {
    await this.#writing;
  }

  readonly #memory = {
    take: (bytes: number): boolean => {
      if (this.#heldBytes + bytes > this.#maxBytes) return false;
      this.#heldBytes += bytes;
      return true;
    },
    release: (bytes: number): void => {
      this.#heldBytes -= bytes;
    },
  };

  #add(bodies: CapturedPayload): void {
    this.#queue.push(bodies);
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#nextBatch();
      try {
        await this.#write(batch);
      } catch (error) {
        this.dropped.failed += batch.length;
        this.#dependencies.onFailure(error);
      }
      for (const bodies of batch) this.#memory.release(payloadBytes(bodies));
    }
    // Reset here instead of in a promise handler, because payloads added in between would wait for the next write.
    this.#writing = undefined;
  }

  #nextBatch(): CapturedPayload[] {
    let bytes = 0;
    const end = this.#queue.findIndex((bodies, index) => {
      bytes += payloadBytes(bodies);
      return index > 0 && (index >= rowsAtOnce || bytes > bytesAtOnce);
    });
    return this.#queue.splice(0, end < 0 ? this.#queue.length : end);
  }

  async #write(batch: readonly CapturedPayload[]): Promise<void> {
    const { seal, insert, room } = this.#dependencies;
    const rows: PayloadRow[] = [];
    for (const bodies of batch) {
      const row = await seal(bodies);
      if (await room.take(row.stored_bytes)) rows.push(row);
      else this.dropped.room += 1;
    }
    if (rows.length === 0) return;
    await insert(rows);
    this.kept += rows.length;
  }
}

const payloadBytes = ({ request, response }: CapturedPayload): number => request.bytes.length + response.bytes.length;
