import { test } from 'vitest';
import { expectExactBooksAfterKills } from '../../testing/process/killed-nodes.ts';

test('[A9.1] kill -9 of two of three nodes under load: every response is charged and logged once', () =>
  expectExactBooksAfterKills([[0, 40, 1, 7]]));
