import { seededRandom, zipf } from '../bench/sample-data.ts';
import { EventQueue } from './event-queue.ts';
import { SimulatedDatabase } from './simulated-database.ts';
import { SimulatedNode } from './simulated-node.ts';

export interface ClusterSize {
  readonly nodes: number;
  readonly users: number;
  /** Requests per second on all nodes together. */
  readonly rate: number;
  readonly seconds: number;
  /** Round-trip time to the database; a notification takes as long. */
  readonly roundTripMs: number;
  /** Share of a user's requests that goes to the same node; the rest goes to any node. */
  readonly affinity: number;
  /** Number of nodes killed during the run. */
  readonly kills: number;
}

const usualHeld = 1000;
const maxMs = 4000;
/** Every tenth user has enough for only a few requests. */
const poorEvery = 10;
const pointsOf = (user: number) => (user % poorEvery === poorEvery - 1 ? 3 * usualHeld : 10_000_000);

/** Runs the simulation and returns its results. Deterministic for the same size and seed. */
export function simulate(size: ClusterSize, seed = 1) {
  const events = new EventQueue();
  const random = seededRandom(seed);
  const someUser = zipf(size.users, random);
  const stored = Float64Array.from({ length: size.users }, (_, user) => pointsOf(user));
  const before = stored.reduce((sum, points) => sum + points, 0);
  const silent = new Set<number>();
  const database = new SimulatedDatabase(events, stored, silent);
  const roundTrip = () => size.roundTripMs * (0.75 + random() / 2);
  const nodes: SimulatedNode[] = [];
  const notify = (notice: (node: SimulatedNode) => void) => {
    database.notify(nodes.length - silent.size);
    for (const node of nodes) if (!node.isGone) events.after(roundTrip(), () => notice(node));
  };
  while (nodes.length < size.nodes) {
    nodes.push(new SimulatedNode(nodes.length, { events, database, roundTrip, notify }));
  }
  const someNode = (user: number): SimulatedNode => {
    const living = nodes.filter(({ isGone }) => !isGone);
    const index = random() < size.affinity ? user % living.length : Math.floor(random() * living.length);
    return living[index] as SimulatedNode;
  };
  const end = size.seconds * 1000;
  const arrive = () => {
    const held = Math.ceil(random() * usualHeld);
    const request = { user: someUser(), held, cost: Math.floor(random() * (held + 1)), lastsMs: random() * maxMs };
    someNode(request.user).serve(request);
    const next = (-Math.log(1 - random()) * 1000) / size.rate;
    if (events.now + next < end) events.after(next, arrive);
  };
  arrive();
  for (let kill = 1; kill <= size.kills; kill += 1) {
    events.after((end * kill) / (size.kills + 1), () => {
      nodes[kill - 1]?.kill();
      silent.add(kill - 1);
    });
  }
  events.run();
  const leasesBefore = leaseRows(database);
  // Live nodes shut down cleanly; leases of killed nodes are dropped.
  for (const { id } of nodes) database.dropAllOf(id);
  const total = (pick: (node: SimulatedNode) => number) => nodes.reduce((sum, node) => sum + pick(node), 0);
  return {
    ...database.counts,
    served: total(({ counts }) => counts.served),
    rejected: total(({ counts }) => counts.rejected),
    lost: total(({ counts }) => counts.lost),
    charged: total(({ counts }) => counts.charged),
    held: total(({ isGone, holders }) =>
      isGone ? 0 : [...holders.values()].reduce((sum, { account }) => sum + account.held, 0),
    ),
    before,
    after: stored.reduce((sum, points) => sum + points, 0),
    least: stored.reduce((min, points) => Math.min(min, points), Number.POSITIVE_INFINITY),
    leasesBefore,
    leasesAfter: leaseRows(database),
    busyMs: database.busyMs,
    maxHolders: Math.max(...nodes.map(({ holders }) => holders.size)),
  };
}

function leaseRows({ leases }: SimulatedDatabase): number {
  let rows = 0;
  for (const all of leases.values()) rows += all.size;
  return rows;
}
