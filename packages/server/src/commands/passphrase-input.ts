import { StartFailure } from '../platform/errors/start-failure.ts';
import { firstLine, promptSecret } from './secret-input.ts';

/** Shorter ones can be found by brute force. */
const minPassphraseLength = 12;

/**
 * Reads the passphrase from the environment, standard input or a prompt; never from the command line, which others
 * can see.
 */
export async function readPassphrase(configured: string | undefined): Promise<string> {
  if (configured !== undefined) return configured;
  const { stdin, stdout } = process;
  return stdin.isTTY ? promptSecret('Passphrase: ', stdin, stdout) : firstLine(stdin);
}

/** Reads the passphrase for a new file. Prompts twice, because a mistyped passphrase would make the file unreadable. */
export async function readNewPassphrase(configured: string | undefined): Promise<string> {
  const passphrase = await readPassphrase(configured);
  if (passphrase.length < minPassphraseLength) {
    throw new StartFailure(
      `The passphrase must have at least ${minPassphraseLength} characters. Type it, pipe it in, or set EXPORT_PASSPHRASE.`,
    );
  }
  const { stdin, stdout } = process;
  if (configured !== undefined || !stdin.isTTY) return passphrase;
  if ((await promptSecret('Repeat the passphrase: ', stdin, stdout)) === passphrase) return passphrase;
  throw new StartFailure('The passphrases do not match. Nothing was exported.');
}
