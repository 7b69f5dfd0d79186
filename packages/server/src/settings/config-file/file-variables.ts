import { z } from 'zod';
import type { Path } from './yaml-text.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** A value that is not secret, in the file or in an environment variable. */
const variable = z.union(
  [
    scalar,
    z.strictObject({
      env: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/)
        .describe('Name of an environment variable'),
      default: z.optional(scalar).describe('Value if the environment variable is not set'),
    }),
  ],
  { error: 'must be a value, or { env: NAME, default: value }' },
);
export type FileVariable = z.output<typeof variable>;

export const fileVariables = z
  .record(z.string().regex(/^[A-Za-z_]\w{0,99}$/), variable)
  .describe(`Values that are not secret. \${name} in any value of the file is replaced`);

export type VariableValues = ReadonlyMap<string, string | number | boolean>;

const reference = /\$(\$?)\{([^{}]*)\}/g;
const wholeReference = /^\$\{([^{}]*)\}$/;

/** Maximum characters that references may add to a file. Without a limit, a file of 1 MB could expand to gigabytes. */
const maxReplacedLength = 10_000_000;

type Fault = (path: Path, message: string) => Error;

/**
 * Replaces `${name}` in all values. A value that consists of one reference gets its type; `$${name}` stays as
 * `${name}`.
 */
export function replaceVariables(value: unknown, variables: VariableValues, fault: Fault): unknown {
  let length = 0;
  return replaceIn(value, [], (name, path) => {
    const found = variables.get(name);
    if (found === undefined) throw fault(path, `uses \${${name}}, which is not in variables.`);
    length += typeof found === 'string' ? found.length : 0;
    if (length > maxReplacedLength)
      throw fault(
        path,
        `makes the file longer than ${maxReplacedLength.toLocaleString('en')} characters with its variables.`,
      );
    return found;
  });
}

function replaceIn(
  value: unknown,
  path: Path,
  replacementOf: (name: string, path: Path) => string | number | boolean,
): unknown {
  if (typeof value === 'string') {
    const whole = wholeReference.exec(value)?.[1];
    if (whole !== undefined) return replacementOf(whole, path);
    return value.replace(reference, (text, isEscaped: string, name: string) =>
      isEscaped === '' ? String(replacementOf(name, path)) : text.slice(1),
    );
  }
  if (Array.isArray(value)) return value.map((item, index) => replaceIn(item, [...path, index], replacementOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, replaceIn(item, [...path, name], replacementOf)]),
  );
}
