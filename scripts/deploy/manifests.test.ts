import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderedFile } from './chart.ts';
import { manifestFaults, parseManifests } from './manifests.ts';

const text = readFileSync(renderedFile('production'), 'utf8');

test.each([
  ['an unknown field', 'automountServiceAccountToken: false', 'autoMountServiceAccountToken: false'],
  ['a wrong type', 'terminationGracePeriodSeconds: 45', 'terminationGracePeriodSeconds: "45"'],
  ['a missing field', '  serviceName: headgate\n', '  serviceName:\n'],
  ['an unknown kind', 'apiVersion: policy/v1\n', 'apiVersion: policy/v1beta1\n'],
  ['an unknown field of a custom resource', '      path: /metrics\n', '      paths: /metrics\n'],
])('finds %s', (_, from, to) => {
  expect(text).toContain(from);
  const faults = parseManifests(text.replace(from, to)).flatMap(manifestFaults);
  expect(faults.length).toBeGreaterThan(0);
});
