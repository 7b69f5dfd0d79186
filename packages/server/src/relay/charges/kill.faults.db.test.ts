import { test } from 'vitest';
import { killUnderLoad, prepareOrganization } from '../../testing/process/kill-under-load.ts';

test('[A9.1] charges and logs every received response once when killed under load ten times', () => killUnderLoad(10));

test('charges every response once to an organization, its member and its project when killed under load', () =>
  killUnderLoad(10, prepareOrganization));
