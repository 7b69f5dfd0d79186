import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../packages/server/src/config.ts';
import { repositoryRoot } from '../repository.ts';
import {
  type ChartExample,
  chartDigest,
  chartExamples,
  chartFolder,
  exampleFile,
  hasHelm,
  lintChart,
  renderChart,
  renderedFile,
} from './chart.ts';
import { type Manifest, manifestFaults, parseManifests } from './manifests.ts';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
const readYaml = <T>(path: string): T => parse(readFileSync(path, 'utf8')) as T;
const manifestsOf = (example: ChartExample) => parseManifests(readFileSync(renderedFile(example), 'utf8'));
const { version } = JSON.parse(read('package.json')) as { version: string };

function only(example: ChartExample, kind: string): Manifest {
  const found = manifestsOf(example).filter((manifest) => manifest.kind === kind);
  expect(found, kind).toHaveLength(1);
  return found[0] as Manifest;
}
const podOf = (example: ChartExample) => only(example, 'StatefulSet').spec['template'].spec;
const containerOf = (example: ChartExample) => podOf(example).containers[0];

test('the chart has the same version as Headgate', () => {
  const chart = readYaml<{ version: string; appVersion: string }>(join(chartFolder, 'Chart.yaml'));
  expect([chart.version, chart.appVersion]).toEqual([version, version]);
});

describe.each(chartExamples)('deploy/kubernetes/%s.yaml', (example) => {
  test('is rendered from the current chart', () => {
    expect(readFileSync(renderedFile(example), 'utf8').split('\n', 1)[0]).toContain(`digest ${chartDigest(example)}.`);
  });

  test.skipIf(!hasHelm())('is what helm renders, and helm lint finds no fault', () => {
    expect(renderChart(example)).toBe(readFileSync(renderedFile(example), 'utf8'));
    expect(lintChart(example)).toMatchObject({ code: 0 });
  });

  test('is valid against the Kubernetes schemas', () => {
    expect(manifestsOf(example).flatMap(manifestFaults)).toEqual([]);
  });

  test('keeps /data in a persistent volume of each pod', () => {
    const { spec } = only(example, 'StatefulSet');
    expect(spec['volumeClaimTemplates'].map(({ metadata }: Manifest) => metadata.name)).toEqual(['data']);
    expect(containerOf(example).volumeMounts).toContainEqual({ name: 'data', mountPath: '/data' });
    expect(spec['persistentVolumeClaimRetentionPolicy']).toEqual({ whenDeleted: 'Retain', whenScaled: 'Retain' });
  });

  test('runs without privileges and without a service account token', () => {
    expect(podOf(example)).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(containerOf(example).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('probes the health endpoints, and stops being ready well before the drain ends', () => {
    const { startupProbe, livenessProbe, readinessProbe } = containerOf(example);
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
      '/healthz',
      '/healthz',
      '/readyz',
    ]);
    const notReadyAfter =
      (readinessProbe.periodSeconds + readinessProbe.timeoutSeconds) * readinessProbe.failureThreshold;
    expect(notReadyAfter * 1000).toBeLessThan(readConfig({}).shutdownDrainMs);
  });

  test('allows the drain and the grace period before it is killed', () => {
    const { shutdownDrainMs, shutdownGraceMs } = readConfig({});
    expect(podOf(example).terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
      (shutdownDrainMs + shutdownGraceMs) / 1000 + 10,
    );
  });

  test('sets a memory limit that covers the worst case in docs/operations.md', () => {
    const [, streamsMb = '', timesBudget = ''] =
      /about (\d+) MB for streams, and up to (\w+) times `BODY_BUDGET_MB`/.exec(read('docs/operations.md')) ?? [];
    expect(timesBudget).toBe('three');
    const budgetMb = readConfig({}).bodies.budget / 1024 ** 2;
    const [, limitGi = ''] = /^(\d+)Gi$/.exec(containerOf(example).resources.limits.memory) ?? [];
    // Responses that are translated are buffered up to 256 MB.
    expect(Number(limitGi) * 1024).toBeGreaterThanOrEqual(Number(streamsMb) + 3 * budgetMb + 256);
  });

  test('references secrets only by name', () => {
    const { env, envFrom } = containerOf(example);
    expect(envFrom).toEqual([{ secretRef: { name: 'headgate' } }]);
    const secrets = (env as { name: string; valueFrom?: { secretKeyRef?: { key: string } } }[]).flatMap(
      ({ valueFrom }) => valueFrom?.secretKeyRef?.key ?? [],
    );
    expect(secrets).toEqual(example === 'sqlite' ? ['SECRET_KEY'] : ['SECRET_KEY', 'DATABASE_URL']);
    expect(manifestsOf(example).map(({ kind }) => kind)).not.toContain('Secret');
  });

  test('sets only settings that exist', () => {
    const names = (containerOf(example).env as { name: string }[]).map(({ name }) => name);
    const settings = read('docs/settings.md');
    expect(names.filter((name) => !settings.includes(`| \`${name}\` |`))).toEqual([]);
  });
});

test('each example contains the expected kinds of objects', () => {
  const kinds = (example: ChartExample) => manifestsOf(example).map(({ kind }) => kind);
  expect(kinds('sqlite').sort()).toEqual(['Service', 'StatefulSet']);
  expect(kinds('postgres').sort()).toEqual(['PodDisruptionBudget', 'Service', 'StatefulSet']);
  expect(kinds('production').sort()).toEqual([
    'HorizontalPodAutoscaler',
    'Ingress',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
    'ServiceMonitor',
    'StatefulSet',
  ]);
});

describe('production.yaml', () => {
  test('scales on a gateway metric, and leaves the number of pods to the autoscaler', () => {
    const [{ pods }] = only('production', 'HorizontalPodAutoscaler').spec['metrics'];
    expect(read('docs/metrics.md')).toContain(`| \`${pods.metric.name}\` | | in-flight requests |`);
    expect(only('production', 'StatefulSet').spec['replicas']).toBeUndefined();
  });

  test('streams through the ingress with the limits of deploy/nginx/headgate.conf', () => {
    const annotations = only('production', 'Ingress').metadata.annotations ?? {};
    const nginx = read('deploy/nginx/headgate.conf');
    const setting = (name: string) => new RegExp(`^ *${name} (\\S+);$`, 'm').exec(nginx)?.[1];
    const ofIngress = (name: string) => annotations[`nginx.ingress.kubernetes.io/${name}`];
    expect(ofIngress('proxy-buffering')).toBe(setting('proxy_buffering'));
    expect(ofIngress('proxy-request-buffering')).toBe(setting('proxy_request_buffering'));
    expect(`${ofIngress('proxy-read-timeout')}s`).toBe(setting('proxy_read_timeout'));
    expect(ofIngress('proxy-body-size')).toBe(setting('client_max_body_size'));
    expect(annotations['nginx.org/proxy-read-timeout']).toBe(setting('proxy_read_timeout'));
  });

  test('is reachable only by the ingress controller and the monitoring, and never reaches link-local addresses', () => {
    const { ingress, egress } = only('production', 'NetworkPolicy').spec;
    expect(ingress[0].from).toHaveLength(2);
    expect(JSON.stringify(egress)).toContain('"except":["169.254.0.0/16"]');
  });

  test('is scraped with an access token', () => {
    expect(only('production', 'ServiceMonitor').spec['endpoints'][0]).toMatchObject({
      path: '/metrics',
      authorization: { credentials: { name: 'headgate-metrics', key: 'token' } },
    });
  });
});

describe('values.schema.json', () => {
  const defaults = readYaml<object>(join(chartFolder, 'values.yaml'));
  const isValid = new Ajv({ strict: false }).compile(JSON.parse(read('deploy/helm/headgate/values.schema.json')));
  const isObject = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const merged = (base: object, over: object): object => ({
    ...base,
    ...Object.fromEntries(
      Object.entries(over).map(([name, value]) => {
        const below = (base as Record<string, unknown>)[name];
        return [name, isObject(value) && isObject(below) ? merged(below, value) : value];
      }),
    ),
  });

  test('accepts the defaults and the examples', () => {
    expect(isValid(defaults)).toBe(true);
    for (const example of chartExamples)
      expect(isValid(merged(defaults, readYaml<object>(exampleFile(example)))), example).toBe(true);
  });

  test.each([
    ['several pods on SQLite', { replicas: 2 }],
    ['autoscaling on SQLite', { autoscaling: { enabled: true } }],
    ['an ingress without trusted proxies', { ingress: { enabled: true, host: 'a.example' } }],
    ['an ingress without a host', { ingress: { enabled: true }, trustedProxies: '10.0.0.0/8' }],
    ['monitoring without an access token', { serviceMonitor: { enabled: true } }],
    ['a secret as a setting', { settings: { SECRET_KEY: 'plain text' } }],
    ['a setting that is no text', { settings: { MAX_BODY_MB: 32 } }],
    ['a drain that is shorter than the readiness probe', { shutdown: { drainSeconds: 2 } }],
    ['no secret', { existingSecret: '' }],
    ['an unknown value', { replicaCount: 2 }],
  ])('rejects %s', (_, values) => {
    expect(isValid(merged(defaults, values))).toBe(false);
  });
});
