import { expect, it } from 'vitest';
import { RequestProblem } from './problems.ts';

it('truncates request data in the error message', () => {
  const long = 'x'.repeat(1_000_000);
  const { param, message } = new RequestProblem(`input[0].${long}`, `The provider does not support ${long}`);
  expect([param.length, message.length]).toEqual([201, 501]);
  const short = new RequestProblem('stop', 'stop is invalid');
  expect([short.param, short.message]).toEqual(['stop', 'stop is invalid']);
});
