import { runAllStages, type StageResult } from './test-stages.ts';

const stages = await runAllStages();
const sum = (pick: (stage: StageResult) => number) => stages.reduce((total, stage) => total + pick(stage), 0);
const failed = sum((stage) => stage.failed);

console.log(
  `\n${'stage'.padEnd(20)} ${['passed', 'failed', 'flaky', 'skipped', 'seconds'].map((head) => head.padStart(8)).join('')}`,
);
for (const stage of stages) {
  const cells = [stage.passed, stage.failed, stage.flaky.length, stage.skipped, stage.seconds.toFixed(1)];
  console.log(`${stage.name.padEnd(20)} ${cells.map((cell) => String(cell).padStart(8)).join('')}`);
}
// The last line is read by programs.
console.log(`\n${sum((stage) => stage.passed)} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
