import { fileJsonSchema } from '../settings/config-file/file-schema.ts';

/** `npm run schema`: prints the JSON schema of the configuration file, for editors. */
process.stdout.write(`${JSON.stringify(fileJsonSchema(), undefined, 2)}\n`);
