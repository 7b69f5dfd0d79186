import { createInterface } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { StartFailure } from '../platform/errors/start-failure.ts';

/** Prompts on a terminal without echo. */
export function promptSecret(question: string, input: ReadStream, output: WriteStream): Promise<string> {
  return new Promise((resolve, reject) => {
    // Without an output the line editor works (backspace, paste) but echoes nothing. It is created before the prompt,
    // so that early input is not echoed either.
    const line = createInterface({ input, terminal: true, historySize: 0 });
    output.write(question);
    let answer: string | undefined;
    line.once('line', (text) => {
      answer = text;
      line.close();
    });
    line.once('close', () => {
      output.write('\n');
      if (answer === undefined) reject(new StartFailure('Cancelled. Nothing was changed.'));
      else resolve(answer);
    });
  });
}

/** First line of standard input; empty when there is none. */
export async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input });
  for await (const line of lines) return line;
  return '';
}
