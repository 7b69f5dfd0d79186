import { isDatabaseUnreachable, isLoginRejected } from '../errors/database-unreachable.ts';
import { classifyStorageFault, type StorageFault } from './storage-health.ts';

/** Kind of a statement failure, from a closed list. */
export type DatabaseErrorKind = StorageFault | 'timeout' | 'out-of-reach' | 'conflict' | 'constraint' | 'other';

/** Connections in use and idle, and requests waiting for one. */
export interface PoolUse {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

const minWaitMs = 1;

/** Errors and waits of one database since it was opened. */
export class DatabaseMetrics {
  readonly errors = new Map<DatabaseErrorKind, number>();
  /** Number of waits for a connection and their total time. */
  waits = 0;
  waitedMs = 0;
  /** Undefined if there is no pool. */
  readonly poolUse: (() => PoolUse) | undefined;

  constructor(poolUse?: () => PoolUse) {
    this.poolUse = poolUse;
  }

  failed(error: unknown): void {
    const kind = kindOf(error);
    this.errors.set(kind, (this.errors.get(kind) ?? 0) + 1);
  }

  /** Ignores waits below a millisecond, because a free connection is available immediately. */
  waited(ms: number): void {
    if (ms < minWaitMs) return;
    this.waits += 1;
    this.waitedMs += ms;
  }
}

/**
 * PostgreSQL codes for timeouts of a statement, lock or transaction, and the driver's message for an unresponsive
 * connection.
 */
const lateCodes = /^(57014|55P03|25P0[34])$/;
const silence = 'Query read timeout';
/** Conflicting transactions; SQLite reports busy or locked. */
const conflictCodes = /^40/;
const sqliteConflicts: ReadonlySet<number> = new Set([5, 6]);
const sqliteConstraint = 19;

function kindOf(error: unknown): DatabaseErrorKind {
  const fault = classifyStorageFault(error);
  if (fault) return fault;
  const { code, errcode, message } = error as { code?: unknown; errcode?: unknown; message?: unknown };
  const ownCode = String(code);
  const sqliteCode = typeof errcode === 'number' ? errcode & 0xff : 0;
  if (lateCodes.test(ownCode) || message === silence) return 'timeout';
  if (isDatabaseUnreachable(error) || isLoginRejected(error)) return 'out-of-reach';
  if (conflictCodes.test(ownCode) || sqliteConflicts.has(sqliteCode)) return 'conflict';
  return ownCode.startsWith('23') || sqliteCode === sqliteConstraint ? 'constraint' : 'other';
}
