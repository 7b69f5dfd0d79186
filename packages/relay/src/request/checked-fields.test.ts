import { expect, it } from 'vitest';
import { endpointKinds } from './endpoint-kinds.ts';
import { readRequest } from './read-request.ts';

it('truncates a duplicate field name in the error message', () => {
  const name = 'x'.repeat(100_000);
  const body = Buffer.from(`{"model":"m","messages":[],"${name}":1,"${name}":2}`);
  expect(() => readRequest(endpointKinds.chat, body)).toThrow(/^x{100}… is given twice$/);
});
