import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { StartFailure } from '../../platform/errors/start-failure.ts';

/** Far larger than any configuration. */
const maxLength = 5_000_000;
/** Aliases are common in such files; more of them is an attack on the memory. */
const maxAliases = 1000;

/** Parses the config.yaml of LiteLLM. Its contents never appear in a message, because it may contain keys. */
export function readLitellmConfig(path: string): unknown {
  const text = textOf(path);
  if (text.length > maxLength) throw new StartFailure(`File ${path} is larger than 5 MB.`);
  try {
    const document = parseDocument(text, { merge: true, logLevel: 'silent' });
    const [error] = document.errors;
    if (error) throw new StartFailure(`File ${path} is not YAML (line ${error.linePos?.[0].line ?? '?'}).`);
    return document.toJS({ maxAliasCount: maxAliases });
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    throw new StartFailure(`File ${path} cannot be read as YAML.`, { cause: error });
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartFailure(`File ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`, { cause: error });
  }
}
