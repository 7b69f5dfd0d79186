import { writeFileSync } from 'node:fs';
import { chartExamples, hasHelm, renderChart, renderedFile } from './deploy/chart.ts';

/** `npm run render-chart`: renders the examples of the Helm chart into `deploy/kubernetes`. */
if (!hasHelm()) {
  console.error('headgate: helm is not installed.');
  process.exit(1);
}
for (const example of chartExamples) writeFileSync(renderedFile(example), renderChart(example));
