// Plain JavaScript, so that an old Node can still read it far enough to say what is wrong.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const commands = [
  'start',
  'dev',
  'demo',
  'build',
  'check',
  'test',
  'e2e',
  'passwd',
  'audit',
  'import',
  'export',
  'restore',
  'backup',
  'bench',
  'bench-api',
  'simulate',
  'mixed-versions',
  'providers-doc',
  'dialects-doc',
  'screens',
  'size',
  'spec-coverage',
  'attack-coverage',
];
const oldestNode = 26;

const [command, ...rest] = process.argv.slice(2);

function giveUp(sentence) {
  console.error(`headgate: ${sentence}`);
  process.exit(1);
}

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  giveUp(
    `Headgate needs Node ${oldestNode} but this is ${process.versions.node}: run \`npm ci\`, which installs the right ` +
      'Node for Linux, Windows x64 and Apple silicon and lets every `npm run` use it; elsewhere install Node 26 yourself.',
  );
}
if (!commands.includes(command)) {
  giveUp(`There is no command "${command ?? ''}"; the commands are ${commands.join(', ')}.`);
}

// Types are stripped once, not at every start: half the time and a tenth of the memory.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)));

process.argv = [process.argv[0], process.argv[1], ...rest];
await import(`./${command}.ts`);
