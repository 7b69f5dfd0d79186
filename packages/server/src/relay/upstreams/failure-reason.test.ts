import { type LogReason, logReasons } from '@headgate/contract';
import { RelayError } from '@headgate/relay';
import { expect, test } from 'vitest';
import { failureReasonOf } from './failure-reason.ts';

type Case = readonly [status: number, error: RelayError, reason: LogReason];

const failureOf = (status: number, message: string, code: string | null = null, type = 'upstream_error') =>
  new RelayError(status, message, code, type);
const own = (status: number, code: string, message = 'words') => new RelayError(status, message, code);
const unreachable = (why: string) => own(502, 'upstream_unreachable', `The upstream could not be reached: ${why}`);

const cases: readonly Case[] = [
  [401, failureOf(502, 'Incorrect API key provided', 'invalid_api_key'), 'key_rejected'],
  [401, failureOf(502, 'an unknown message'), 'key_rejected'],
  [403, failureOf(502, 'Forbidden'), 'key_rejected'],
  [429, failureOf(429, 'You exceeded your current quota, please check', 'insufficient_quota'), 'no_balance'],
  [429, failureOf(429, 'x', null, 'insufficient_quota'), 'no_balance'],
  [400, failureOf(400, 'Your credit balance is too low to access', null, 'invalid_request_error'), 'no_balance'],
  [402, failureOf(402, 'Pay first'), 'no_balance'],
  [400, failureOf(400, 'x', 'Arrearage'), 'no_balance'],
  [429, failureOf(429, 'Rate limit reached', 'rate_limit_exceeded', 'requests'), 'rate_limited'],
  [429, failureOf(429, 'Slow down'), 'rate_limited'],
  [529, failureOf(529, 'Overloaded', null, 'overloaded_error'), 'overloaded'],
  [503, failureOf(503, 'busy'), 'overloaded'],
  [500, failureOf(500, 'down'), 'server_error'],
  [502, failureOf(502, 'bad gateway'), 'server_error'],
  [504, failureOf(504, 'x'), 'timeout'],
  [408, failureOf(408, 'x'), 'timeout'],
  [404, failureOf(404, 'The model does not exist', 'model_not_found'), 'not_found'],
  [404, failureOf(404, 'x'), 'not_found'],
  [400, failureOf(400, 'x', 'content_filter'), 'filtered'],
  [400, failureOf(400, 'messages: required', null, 'invalid_request_error'), 'refused_request'],
  [422, failureOf(422, 'x'), 'refused_request'],
  [200, own(502, 'bad_response', 'The upstream response is not JSON'), 'bad_answer'],
  [200, own(502, 'upstream_broke', 'The upstream’s stream was interrupted: the connection was lost'), 'bad_answer'],
  [200, own(502, 'upstream_broke', 'The upstream’s stream was interrupted: idle timeout'), 'timeout'],
  [0, unreachable('no response in time'), 'timeout'],
  [0, unreachable('the connection timed out'), 'timeout'],
  [0, unreachable('UND_ERR_HEADERS_TIMEOUT'), 'timeout'],
  [0, unreachable('the connection was refused'), 'unreachable'],
  [0, own(503, 'no_channel'), 'no_channel'],
  [0, own(404, 'model_not_found'), 'not_found'],
  [0, own(402, 'insufficient_user_quota'), 'no_quota'],
  [0, own(402, 'insufficient_token_quota'), 'no_quota'],
  [0, own(429, 'quota_held'), 'no_quota'],
  [0, own(401, 'token_exhausted'), 'no_quota'],
  [0, own(403, 'model_not_allowed'), 'model_not_allowed'],
  [0, own(429, 'too_many_requests_under_way'), 'too_many'],
  [0, own(401, 'token_disabled'), 'token_refused'],
  [0, own(401, 'token_expired'), 'token_refused'],
  [0, own(403, 'account_banned'), 'token_refused'],
  [0, own(403, 'address_not_allowed'), 'token_refused'],
  [0, own(400, 'unpriced_field'), 'refused_request'],
  [0, own(502, 'bad_response', 'The response has no text'), 'bad_answer'],
  [0, own(503, 'out_of_touch'), 'other'],
];

test.each(cases)('maps status %i with %s to %s', (status, error, reason) => {
  expect(failureReasonOf({ status, error })).toBe(reason);
});

test('the cases cover every failure reason', () => {
  const given = new Set(cases.map(([, , reason]) => reason));
  expect(Object.keys(logReasons).filter((reason) => !given.has(reason as LogReason))).toEqual([]);
});

test.each(['no_channel', 'model_not_allowed', 'quota_held', 'token_expired'])(
  'does not treat %s from an upstream gateway as its own code',
  (code) => {
    expect(failureReasonOf({ status: 403, error: failureOf(502, 'x', code) })).toBe('key_rejected');
  },
);

test('ignores request text quoted in an error', () => {
  const quoting = failureOf(400, 'Unsupported: invalid_api_key, content_filter, insufficient_quota');
  expect(failureReasonOf({ status: 400, error: quoting })).toBe('refused_request');
  expect(failureReasonOf({ status: 400, error: failureOf(400, 'Incorrect API key, said the poem') })).toBe(
    'refused_request',
  );
});
