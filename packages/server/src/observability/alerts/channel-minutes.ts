import { bucketOf } from '../../records/logs/latency-buckets.ts';

interface Cell {
  readonly minute: number;
  readonly channel: number;
  requests: number;
  failures: number;
  readonly latencies: Map<number, number>;
}

export interface MinuteRow {
  readonly minute: number;
  readonly channel: number;
  readonly requests: number;
  readonly failures: number;
  readonly latencies: string;
}

/** Maximum number of channels counted per minute; more than any gateway has. */
const maxCells = 10_000;

/** Channel results of this process per minute; channel 0 represents all requests. */
export class ChannelMinuteStats {
  readonly #cells = new Map<string, Cell>();

  /** `ms`: time to the response; undefined for a failure. */
  note(minute: number, channel: number, ms: number | undefined): void {
    const cell = this.#cellOf(minute, channel);
    if (!cell) return;
    cell.requests += 1;
    if (ms === undefined) cell.failures += 1;
    else {
      const bucket = bucketOf(Math.max(1, ms));
      cell.latencies.set(bucket, (cell.latencies.get(bucket) ?? 0) + 1);
    }
  }

  /** Returns the current minute so far, and earlier minutes for the last time. */
  take(minute: number): MinuteRow[] {
    const cells = [...this.#cells];
    for (const [key, cell] of cells) if (cell.minute < minute) this.#cells.delete(key);
    return cells.map(([, { latencies, ...cell }]) => ({ ...cell, latencies: JSON.stringify([...latencies]) }));
  }

  #cellOf(minute: number, channel: number): Cell | undefined {
    const key = `${minute} ${channel}`;
    const known = this.#cells.get(key);
    if (known || this.#cells.size >= maxCells) return known;
    const cell = { minute, channel, requests: 0, failures: 0, latencies: new Map() };
    this.#cells.set(key, cell);
    return cell;
  }
}
