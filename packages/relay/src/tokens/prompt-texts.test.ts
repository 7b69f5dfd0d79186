import { expect, test } from 'vitest';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { readRequest } from '../request/read-request.ts';
import { estimatePrompt } from './estimate-tokens.ts';
import { promptTexts } from './prompt-texts.ts';

test('[A5.9] counts the suffix of a completion as prompt when no usage is reported', () => {
  const read = (body: object) =>
    readRequest(endpointKinds.completions, Buffer.from(JSON.stringify({ model: 'gpt-4o', ...body })));
  const filling = read({ prompt: 'before', suffix: 'and after it' });
  expect(promptTexts(filling).texts).toEqual(['before', '"and after it"']);
  expect(estimatePrompt(filling)).toBeGreaterThan(estimatePrompt(read({ prompt: 'before' })));
});
