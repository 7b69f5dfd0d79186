import { fileJsonSchema } from '../settings/config-file/file-schema.ts';

/** `npm run schema`: what may stand in a configuration file, for editors. */
process.stdout.write(`${JSON.stringify(fileJsonSchema(), undefined, 2)}\n`);
