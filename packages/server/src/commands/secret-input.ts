import { createInterface } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { StartFailure } from '../platform/errors/start-failure.ts';

/** Asks on a terminal without showing what is typed. */
export function askSecret(question: string, input: ReadStream, output: WriteStream): Promise<string> {
  return new Promise((resolve, reject) => {
    // Without an output the line editor works (backspace, paste) but echoes nothing. It is there before the question
    // is: what is typed at once is not shown either.
    const line = createInterface({ input, terminal: true, historySize: 0 });
    output.write(question);
    let answer: string | undefined;
    line.once('line', (text) => {
      answer = text;
      line.close();
    });
    line.once('close', () => {
      output.write('\n');
      if (answer === undefined) reject(new StartFailure('Broken off; nothing was changed.'));
      else resolve(answer);
    });
  });
}

/** The first line of what is piped in; empty when there is none. */
export async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input });
  for await (const line of lines) return line;
  return '';
}
