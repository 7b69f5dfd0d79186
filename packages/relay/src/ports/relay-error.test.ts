import { expect, test } from 'vitest';
import { RelayError } from './relay-error.ts';

test.each([14, 0, -1, 99, 100, 200, 302, 399, 600, 700, 1e9, 404.5, Number.NaN, Number.POSITIVE_INFINITY])(
  '[A25.1] maps a failure with the invalid status %s to 500',
  (status) => {
    expect(new RelayError(status, 'no').status).toBe(500);
  },
);

test.each([400, 418, 499, 503, 599])('[A25.1] reports a failure with status %s unchanged', (status) => {
  expect(new RelayError(status, 'no').status).toBe(status);
});
