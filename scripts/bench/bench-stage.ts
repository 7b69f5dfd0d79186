import type { BenchDatabase } from './bench-database.ts';
import type { Part } from './bench-parts.ts';
import type { Pace } from './compare.ts';

/** What every kind of measurement has. */
export interface BenchStage {
  readonly upstream: Part;
  /** Undefined: SQLite. */
  readonly database: BenchDatabase | undefined;
  readonly pace: Pace;
  /** For the data of a gateway. */
  readonly folder: (name: string) => string;
  /** Runs at the end of it all, the last first. */
  readonly cleanup: AsyncDisposableStack;
}
