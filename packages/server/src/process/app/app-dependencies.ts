import type { Timeouts } from '@headgate/relay';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { AlertPace } from '../../observability/alerts/alert-pace.ts';
import type { GatheredMetrics } from '../../observability/metrics/gathered-metrics.ts';
import type { ServerIdentity } from '../../observability/status/server-identity.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Shutdown } from '../../platform/runtime/shutdown.ts';
import type { IdleTimes } from '../../relay/leases/idle-callers.ts';

/** What the app is made of from outside: settings, an open database, and patience that tests shorten. */
export interface AppDependencies {
  readonly config: Config;
  readonly database: Database;
  /** What the relay asks goes here; undefined: to the same. */
  readonly relayDatabase?: Database | undefined;
  /** Where charges are stored; undefined: in the same. */
  readonly chargeDatabase?: Database | undefined;
  readonly logger: Logger;
  /** Begins before the app is closed, so that nothing new is sent here by then; with its closing unless told otherwise. */
  readonly shutdown?: Shutdown;
  readonly identity: ServerIdentity;
  /** The metrics of other processes behind the same port; undefined where there are none. */
  readonly gatheredMetrics?: GatheredMetrics | undefined;
  /** Where the built console lies. */
  readonly consoleDir: string;
  /** How long upstreams may take; what the settings say unless told otherwise. */
  readonly upstreamTimeouts?: Timeouts;
  /** How long a client may read nothing of its reply; patient unless told otherwise. */
  readonly readerPatienceMs?: number;
  /** How long a body may grow by next to nothing; patient unless told otherwise. */
  readonly bodyPatienceMs?: number;
  /** How long tokens may be counted before they are estimated; two seconds unless told otherwise. */
  readonly countingPatienceMs?: number;
  /** How long the reply to a change waits for the other nodes to confirm it; a second unless told otherwise. */
  readonly confirmingPatienceMs?: number;
  /** How long answers about usage are cached; half a minute by default. */
  readonly usageCacheMs?: number;
  /** When points that nobody uses are given back, and users forgotten; after seconds and minutes unless told otherwise. */
  readonly idleTimes?: IdleTimes | undefined;
  /** Seconds since 1970 for what is paused, and how often it is looked at; the system's, and now and then, unless told otherwise. */
  readonly pausing?: { readonly clock: () => number; readonly everyMs: number } | undefined;
  /** How often expired bodies are deleted, and how much memory copies of them may take; as usual unless told otherwise. */
  readonly keptBodies?: { readonly sweepEveryMs?: number; readonly mostBytes?: number } | undefined;
  /** How much room is left on the disk of a SQLite file; asked of the system unless told otherwise. */
  readonly freeBytes?: () => Promise<number>;
  /** What time it is for alerts and how often they are looked after; as usual unless told otherwise. */
  readonly alertPace?: AlertPace;
  /** Where pictures of requests may be fetched from; the open internet unless told otherwise. */
  readonly isOpenAddress?: (address: string) => boolean;
}
