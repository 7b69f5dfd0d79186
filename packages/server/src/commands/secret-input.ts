import { createInterface } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { StartFailure } from '../platform/errors/start-failure.ts';

/** Prompts on a terminal without echo. */
export function promptSecret(question: string, input: ReadStream, output: WriteStream): Promise<string> {
  return new Promise((resolve, reject) => {
    // Without an output, the line editor works (backspace, paste) but echoes nothing. It is created before the prompt,
    // so that early input is not echoed either.
    const line = createInterface({ input, terminal: true, historySize: 0 });
    output.write(question);
    let response: string | undefined;
    line.once('line', (text) => {
      response = text;
      line.close();
    });
    line.once('close', () => {
      output.write('\n');
      if (response === undefined) reject(new StartFailure('Cancelled. Nothing was changed.'));
      else resolve(response);
    });
  });
}

/** First line of standard input; empty if there is none. */
export async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input });
  for await (const line of lines) return line;
  return '';
}

/** Shorter passphrases can be found by brute force. */
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
