import type { BenchDatabase } from './bench-database.ts';
import type { BenchChild } from './child-process.ts';
import type { BenchPace } from './compare.ts';

/** Common inputs of all benchmarks. */
export interface BenchStage {
  readonly upstream: BenchChild;
  /** Undefined for SQLite. */
  readonly database: BenchDatabase | undefined;
  readonly pace: BenchPace;
  /** Data folder of a gateway. */
  readonly folder: (name: string) => string;
  /** Disposed at the end, in reverse order. */
  readonly cleanup: AsyncDisposableStack;
}
