import { expect, test } from 'vitest';
import type { JsonObject, Upstream } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { passThroughEndpoint } from '../testing/pass-through-endpoint.ts';
import { spark } from './index.ts';
import { sparkSocket } from './socket-chat.ts';

const triple = 'app|secret|key';
const chosen = (fields: Partial<Upstream>) =>
  typeof spark.chat === 'function' ? spark.chat({ ...testUpstream, ...fields }) : undefined;

test('uses the WebSocket if the channel has a version and the key can sign', () => {
  expect(chosen({ key: triple, other: 'v3.5' })).toBe(sparkSocket);
  expect(chosen({ key: triple, config: { api_version: 'v1.1' } })).toBe(sparkSocket);
  expect(chosen({ key: triple })).toMatchObject({ kind: 'pass' });
  expect(chosen({ key: 'password', other: 'v3.5' })).toMatchObject({ kind: 'pass' });
});

test('passes requests through without a version, with a password made from the key', () => {
  const sent = (fields: Partial<Upstream>) => passThroughEndpoint(spark, 'chat').send({ ...testUpstream, ...fields });
  expect(sent({ key: triple })).toEqual({
    url: 'https://upstream.test/v1/chat/completions',
    headers: { authorization: 'Bearer key:secret' },
  });
  expect(sent({ key: 'password' }).headers).toEqual({ authorization: 'Bearer password' });
  expect(sent({ model: 'spark-x' }).url).toBe('https://upstream.test/v2/chat/completions');
});

test("uses the API's model names and receives tool calls as a list", () => {
  const patched = (model: string, body: JsonObject = {}) =>
    passThroughEndpoint(spark, 'chat').patch?.(body, { ...testUpstream, model });
  expect(patched('Spark-Lite')).toEqual({ model: 'lite' });
  expect(patched('Spark-4.0-Ultra')).toEqual({ model: '4.0Ultra' });
  expect(patched('SparkDesk-v3.5')).toEqual({ model: 'generalv3.5' });
  expect(patched('generalv3', { tools: [{}] })).toEqual({ model: 'generalv3', tool_calls_switch: true });
});

test('reads an error inside a 200', () => {
  const { hiddenError } = passThroughEndpoint(spark, 'chat');
  expect(hiddenError?.field).toBe('code');
  expect(hiddenError?.read({ code: 10163, message: 'bad', sid: 's' })).toMatchObject({ status: 400, message: 'bad' });
  expect(hiddenError?.read({ code: 0, message: 'Success', choices: [] })).toBeUndefined();
});
