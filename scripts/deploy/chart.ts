import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../repository.ts';
import { listFiles } from '../source-files.ts';

export const chartFolder = join(repositoryRoot, 'deploy/helm/headgate');

/** Rendered by Kubernetes version; the chart uses nothing newer than its `kubeVersion`. */
const kubernetesVersion = '1.34.0';

/** Values files of the chart that are rendered into `deploy/kubernetes`. */
export const chartExamples = ['sqlite', 'postgres', 'production'] as const;
export type ChartExample = (typeof chartExamples)[number];

export const exampleFile = (example: ChartExample): string => join(chartFolder, `examples/${example}.yaml`);
export const renderedFile = (example: ChartExample): string =>
  join(repositoryRoot, `deploy/kubernetes/${example}.yaml`);

/** Digest of everything that the rendered file depends on. The version of the chart is not part of it. */
export function chartDigest(example: ChartExample): string {
  const templates = listFiles(chartFolder, 'templates', /\.(yaml|tpl)$/);
  const hash = createHash('sha256');
  for (const file of [...templates, 'values.yaml', `examples/${example}.yaml`])
    hash.update(`${file}\0${readFileSync(join(chartFolder, file), 'utf8')}\0`);
  return hash.digest('hex').slice(0, 16);
}

interface HelmResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

function helm(...parameters: readonly string[]): HelmResult {
  const { status, stdout, stderr } = spawnSync('helm', parameters, { encoding: 'utf8' });
  return { code: status, output: stdout ?? '', errors: stderr ?? '' };
}

export const hasHelm = (): boolean => helm('version', '--short').code === 0;

export const lintChart = (example: ChartExample): HelmResult =>
  helm('lint', '--strict', chartFolder, '--values', exampleFile(example), '--kube-version', kubernetesVersion);

/** Contents of the rendered file of an example. */
export function renderChart(example: ChartExample): string {
  const values = ['--values', exampleFile(example), '--kube-version', kubernetesVersion];
  const { code, output, errors } = helm('template', 'headgate', chartFolder, ...values);
  if (code !== 0) throw new Error(errors);
  return `${header(example)}${output.replace(/^---\n/, '')}`;
}

const header = (example: ChartExample): string =>
  `# Rendered by \`npm run render-chart\` from deploy/helm/headgate/examples/${example}.yaml, digest ${chartDigest(example)}.
# Set the image, create the secret and apply the file (docs/kubernetes.md).
`;
