import { fileJsonSchema } from '../settings/config-file/file-schema.ts';
import { exitCodes, printLine, runMain } from './run-main.ts';

/** `npm run schema`: prints the JSON schema of the configuration file, for editors. */
await runMain(() => {
  printLine(JSON.stringify(fileJsonSchema(), undefined, 2));
  return exitCodes.done;
});
