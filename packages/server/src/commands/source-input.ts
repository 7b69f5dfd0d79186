import { askSecret, firstLine } from './secret-input.ts';

/** What stands for an address that is typed or piped in. */
const askFor = '-';

/** Where to import from. Others on the machine see the command line, so an address may be typed, piped in or in the environment. */
export async function readSource(given: string | undefined, configured: string | undefined): Promise<string> {
  if (given !== askFor) return given ?? configured ?? '';
  const { stdin, stdout } = process;
  return (
    stdin.isTTY ? await askSecret('Address of the database to import: ', stdin, stdout) : await firstLine(stdin)
  ).trim();
}
