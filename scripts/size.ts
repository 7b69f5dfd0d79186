import { buildConsoleIfStale, distFolder } from './console-build.ts';
import { describeSize, measureConsole } from './console-size.ts';

await buildConsoleIfStale();
const sizes = measureConsole(distFolder);
for (const size of sizes) console.log(describeSize(size));
process.exitCode = sizes.some(({ isOver }) => isOver) ? 1 : 0;
