import { test } from 'vitest';
import { expectExactChargesAfterKills } from '../../testing/process/killed-nodes.ts';

test('[A9.1] three nodes under load charge and log every response once when nodes are killed ten times', () =>
  expectExactChargesAfterKills([
    [0, 40, 1, 7],
    [2, 63, 0, 1],
    [2, 25, 1, 90],
    [1, 13, 0, 51],
    [2, 2, 0, 34],
  ]));
