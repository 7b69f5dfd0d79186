import { test } from 'vitest';
import { expectExactBooksAfterKills } from '../../testing/process/killed-nodes.ts';

test('[A9.1] three nodes under load charge and log every response once when two nodes are killed', () =>
  expectExactBooksAfterKills([[0, 40, 1, 7]]));
