import { describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { StartFailure } from '../../platform/errors/start-failure.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/base/' };

test('traces are off without an endpoint, regardless of other settings', () => {
  for (const environment of [
    {},
    { OTEL_TRACES_SAMPLER: 'jaeger_remote', OTEL_SERVICE_NAME: 'x' },
    { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' },
    { ...endpoint, OTEL_TRACES_EXPORTER: 'none' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  ])
    expect(readConfig(environment).traces).toBeUndefined();
});

test('unset variables get their default values', () => {
  expect(readConfig(endpoint).traces).toEqual({
    url: 'http://collector:4318/base/v1/traces',
    headers: {},
    timeoutMs: 10_000,
    sampler: 'parentbased_always_on',
    ratio: 1,
    resource: { 'service.name': 'headgate' },
    isPropagated: true,
    delayMs: 5000,
    maxQueued: 2048,
    maxInBatch: 512,
  });
});

test('trace-specific variables override general ones', () => {
  const { traces } = readConfig({
    ...endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in',
    OTEL_EXPORTER_OTLP_HEADERS: 'a=1',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'B=%32',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1',
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '2',
    OTEL_PROPAGATORS: 'baggage',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
  });
  expect(traces).toMatchObject({
    url: 'https://traces.example/in',
    headers: { b: '2' },
    timeoutMs: 2,
    isPropagated: false,
    sampler: 'traceidratio',
    ratio: 0.01,
  });
});

describe('invalid trace settings', () => {
  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'file:///etc/passwd'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'no value'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%0d%0ab'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz'],
    ['OTEL_RESOURCE_ATTRIBUTES', '=b'],
    ['OTEL_TRACES_SAMPLER', '__proto__'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', 'NaN'],
    ['OTEL_TRACES_EXPORTER', 'console'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '0'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '-1'],
  ])('an invalid variable fails the start and is named: %s=%s', (name, value) => {
    expect(() => readConfig({ ...endpoint, [name]: value })).toThrow(StartFailure);
    expect(() => readConfig({ ...endpoint, [name]: value })).toThrow(name);
  });
});
