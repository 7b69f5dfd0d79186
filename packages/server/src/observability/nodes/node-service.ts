import type { GatewayNode } from '@headgate/contract';
import { parseJsonObject } from '@headgate/dialects';
import type { NodeInfo, NodeRepository, NodeRow, NodeStats } from './node-repository.ts';

interface NodeServiceDependencies {
  /** Undefined for a single process. */
  readonly nodes: NodeRepository | undefined;
  readonly facts: NodeInfo;
  /** Called after each heartbeat; true if there are other nodes. */
  readonly onOthers: (hasOthers: boolean) => void;
  readonly onFailure: (error: unknown) => void;
}

const heartbeatIntervalMs = 2000;
const beatsBeforeForgetting = 30;

const atRest: NodeStats = { running: 0, lagMs: 0, leaseNumber: undefined };

/** Nodes of this gateway, and the heartbeat of this one. */
export class NodeService {
  readonly #dependencies: NodeServiceDependencies;
  #figures: () => NodeStats = () => atRest;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #beats = 0;

  private constructor(dependencies: NodeServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Registers this process under a unique name. */
  static async join({ nodes, facts, ...rest }: NodeServiceDependencies): Promise<NodeService> {
    const name = nodes ? await nodes.add(facts) : facts.name;
    const service = new NodeService({ nodes, facts: { ...facts, name }, ...rest });
    if (nodes) service.#scheduleHeartbeat();
    return service;
  }

  get name(): string {
    return this.#dependencies.facts.name;
  }

  /** Sets the source of the metrics for heartbeats. */
  reportFigures(figures: () => NodeStats): void {
    this.#figures = figures;
  }

  async list(): Promise<GatewayNode[]> {
    const { nodes, facts } = this.#dependencies;
    const { running, lagMs } = this.#figures();
    // The node that serves this request is alive, even if its last heartbeat is old.
    const here = { running, lag_ms: Math.round(lagMs), is_silent: false, seen_seconds: 0 };
    if (!nodes) return [{ ...present(facts), ...here, ...alone }];
    const rows = await nodes.list();
    return rows.map((row) => ({ ...readNode(row), ...(row.id === facts.id && { ...here, is_this: true }) }));
  }

  /** True while there are other live nodes. */
  async hasOthers(): Promise<boolean> {
    return (await this.list()).some(({ is_this, is_silent }) => !is_this && !is_silent);
  }

  /** Removes this node, so that other nodes no longer wait for it. */
  async close(): Promise<void> {
    const { nodes, facts } = this.#dependencies;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#beating;
    // If this fails, the node is soon considered unresponsive.
    await nodes?.remove(facts.id).catch(() => undefined);
  }

  #scheduleHeartbeat(): void {
    this.#timer = setTimeout(() => {
      this.#beating = this.#beat().finally(() => {
        this.#beating = undefined;
        if (this.#timer !== undefined) this.#scheduleHeartbeat();
      });
    }, heartbeatIntervalMs).unref();
  }

  async #beat(): Promise<void> {
    const { nodes, facts, onFailure } = this.#dependencies;
    const figures = this.#figures();
    try {
      const hasOthers = await nodes?.heartbeat(facts, { ...figures, lagMs: Math.round(figures.lagMs) });
      this.#dependencies.onOthers(hasOthers === true);
      this.#beats += 1;
      if (this.#beats % beatsBeforeForgetting === 1) await nodes?.removeGone();
    } catch (error) {
      onFailure(error);
    }
  }
}

const alone = { is_this: true, leases: 0, unconfirmed_time: 0 } as const;

const present = ({ name, version, startedTime, settings }: NodeInfo) => ({
  name,
  version,
  started_time: startedTime,
  settings: { ...settings },
});

const maxTextLength = 200;
const maxSettings = 100;

/** Another node. Parsed leniently, because a different version may have written the row. */
const readNode = (row: NodeRow): GatewayNode => ({
  name: cut(row.name),
  version: cut(row.version),
  started_time: moment(row.started_time),
  is_this: false,
  seen_seconds: Math.floor(figure(row.unseen_ms) / 1000),
  is_silent: row.is_silent,
  running: figure(row.running),
  lag_ms: figure(row.lag_ms),
  leases: figure(row.leases),
  unconfirmed_time: moment(row.unconfirmed_time),
  settings: readSettings(row.settings),
});

function readSettings(text: string): Record<string, string> {
  const entries = Object.entries(parseJsonObject(text) ?? {}).slice(0, maxSettings);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[cut(name), cut(value)]] : [])),
  );
}

/** Last second of the year 9999, the latest date that the console can show. */
const latestTime = 253_402_300_799;

const moment = (value: number): number => Math.min(figure(value), latestTime);

const cut = (text: string): string => text.slice(0, maxTextLength);

const figure = (value: number): number => Math.min(Math.max(0, Math.trunc(value) || 0), Number.MAX_SAFE_INTEGER);
