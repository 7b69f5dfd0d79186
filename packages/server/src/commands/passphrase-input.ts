import { StartFailure } from '../platform/errors/start-failure.ts';
import { askSecret, firstLine } from './secret-input.ts';

/** Short ones are found by trying, on as many machines as somebody likes. */
const shortest = 12;

/** From the environment, from what is piped in, or from whoever sits there; never from the command line, which others see. */
export async function readPassphrase(configured: string | undefined): Promise<string> {
  if (configured !== undefined) return configured;
  const { stdin, stdout } = process;
  return stdin.isTTY ? askSecret('Passphrase of the file: ', stdin, stdout) : firstLine(stdin);
}

/** One for a new file, which nothing opens when it is mistyped. */
export async function readNewPassphrase(configured: string | undefined): Promise<string> {
  const passphrase = await readPassphrase(configured);
  if (passphrase.length < shortest) {
    throw new StartFailure(
      `A passphrase has at least ${shortest} characters. Type it, pipe it in, or set EXPORT_PASSPHRASE.`,
    );
  }
  const { stdin, stdout } = process;
  if (configured !== undefined || !stdin.isTTY) return passphrase;
  if ((await askSecret('The same again: ', stdin, stdout)) === passphrase) return passphrase;
  throw new StartFailure('The two differ; nothing was exported.');
}
