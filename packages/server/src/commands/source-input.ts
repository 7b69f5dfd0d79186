import { firstLine, promptSecret } from './secret-input.ts';

/** Placeholder for an address that is typed or piped in. */
const promptMarker = '-';

/**
 * Source of the import. Command lines are visible to other users of the machine, so an address may be typed, piped in
 * or set in the environment.
 */
export async function readSource(given: string | undefined, configured: string | undefined): Promise<string> {
  if (given !== promptMarker) return given ?? configured ?? '';
  const { stdin, stdout } = process;
  return (
    stdin.isTTY ? await promptSecret('Address of the database to import: ', stdin, stdout) : await firstLine(stdin)
  ).trim();
}
