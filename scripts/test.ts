import { runAllStages, type StageResult } from './test-stages.ts';

const stages = await runAllStages();
const sum = (pick: (stage: StageResult) => number) => stages.reduce((total, stage) => total + pick(stage), 0);
const failed = sum((stage) => stage.failed);
const cpu = (seconds: number | undefined) => seconds?.toFixed(1) ?? '';

console.log(
  `\n${'stage'.padEnd(20)} ${['passed', 'failed', 'flaky', 'skipped', 'seconds', 'cpu'].map((head) => head.padStart(8)).join('')}`,
);
for (const stage of stages) {
  const cells = [
    stage.passed,
    stage.failed,
    stage.flaky.length,
    stage.skipped,
    stage.seconds.toFixed(1),
    cpu(stage.cpuSeconds),
  ];
  console.log(`${stage.name.padEnd(20)} ${cells.map((cell) => String(cell).padStart(8)).join('')}`);
}
console.log(`\n${cpu(sum((stage) => stage.cpuSeconds ?? 0))} seconds of CPU time in total`);
// The last line is parsed by programs.
console.log(`\n${sum((stage) => stage.passed)} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
