import { test } from 'vitest';
import { expectExactBooksAfterKills } from '../../testing/process/killed-nodes.ts';

test('[A9.1] kill -9 ten times over three nodes under load: every response is charged and logged once', () =>
  expectExactBooksAfterKills([
    [0, 40, 1, 7],
    [2, 63, 0, 1],
    [2, 25, 1, 90],
    [1, 13, 0, 51],
    [2, 2, 0, 34],
  ]));
