import { test } from 'vitest';
import { expectExactChargesAfterKills } from '../../testing/process/killed-nodes.ts';

test('[A9.1] three nodes under load charge and log every response once when two nodes are killed', () =>
  expectExactChargesAfterKills([[0, 40, 1, 7]]));
