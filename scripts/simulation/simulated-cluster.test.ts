import { describe, expect, test } from 'vitest';
import { simulate } from './simulated-cluster.ts';

const small = { nodes: 5, users: 200, rate: 500, seconds: 20, roundTripMs: 1, affinity: 0, kills: 0 };

describe('simulated cluster', () => {
  test.each([
    ['with nodes next to their database', small],
    ['with a distant database', { ...small, roundTripMs: 8 }],
    ['with two killed nodes', { ...small, kills: 2 }],
    ['with many nodes for few users, who exchange leases all the time', { ...small, nodes: 20, users: 20 }],
  ])('a simulated cluster %s spends no point twice and returns every lease', (_, size) => {
    const { before, after, charged, least, held, leasesAfter, served, lost } = simulate(size);
    expect({ spent: before - after, held, leasesAfter }).toEqual({ spent: charged, held: 0, leasesAfter: 0 });
    expect(least).toBeGreaterThanOrEqual(0);
    expect(served).toBeGreaterThan(1000);
    expect(lost > 0).toBe(size.kills > 0);
  });

  test('a simulated cluster finds the last points of a user on any node', () => {
    const alone = simulate({ ...small, nodes: 1, affinity: 0 });
    const many = simulate(small);
    expect(many.notices).toBeGreaterThan(0);
    // In-flight requests on other nodes reserve some points for a while, so a few more requests are rejected.
    expect(many.charged).toBeGreaterThan(alone.charged * 0.95);
  });

  test('the simulation is deterministic', () => {
    expect(simulate(small)).toEqual(simulate(small));
  });
});
