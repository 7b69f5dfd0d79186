import { runProgram } from './process/run-program.ts';

await runProgram();
