import { expect, onTestFinished, test } from 'vitest';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { readRequest } from '../request/read-request.ts';
import { estimatePrompt } from './estimate-tokens.ts';
import { FreePromptCounter, promptTexts } from './prompt-tokens.ts';
import { Tokenizer } from './tokenizer.ts';

test('[A5.9] counts the suffix of a fill-in-the-middle completion as prompt when no usage is reported', () => {
  const read = (body: object) =>
    readRequest(endpointKinds.completions, Buffer.from(JSON.stringify({ model: 'gpt-4o', ...body })));
  const filling = read({ prompt: 'before', suffix: 'and after it' });
  expect(promptTexts(filling).texts).toEqual(['before', '"and after it"']);
  expect(estimatePrompt(filling)).toBeGreaterThan(estimatePrompt(read({ prompt: 'before' })));
});

test('[A27.5] twenty concurrent free token counts of long prompts do not delay the count of a paid prompt', async () => {
  const tokenizer = new Tokenizer({ patience: 60_000 });
  onTestFinished(() => tokenizer.close());
  const counts = new FreePromptCounter(tokenizer);
  // Longest prompt that is counted; sixteen of them fill the queue.
  const prompt = 'word '.repeat(200_000);
  const request = readRequest(endpointKinds.completions, Buffer.from(JSON.stringify({ model: 'gpt-4o', prompt })));
  const counting = Array.from({ length: 20 }, () => counts.count(request));
  await new Promise(setImmediate);
  const paid = tokenizer.sumFor('gpt-4o');
  paid.add(['Hello, world!']);
  expect(await paid.total()).toBe(4);
  expect(await counting[0]).toBe(200_001);
});
