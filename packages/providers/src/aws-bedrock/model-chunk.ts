import { parseFrame, textAt } from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import { throwBedrockException } from './problem.ts';

/** The model's own data inside the envelope; undefined when the message contains none. */
export function modelChunk(frame: StreamFrame): string | undefined {
  if (frame.event === 'chunk') return Buffer.from(textAt(parseFrame(frame.data), 'bytes'), 'base64').toString('utf8');
  throwBedrockException(frame);
  return undefined;
}
