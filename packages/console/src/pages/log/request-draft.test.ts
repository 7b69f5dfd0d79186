import { expect, it } from 'vitest';
import { requestDraft } from './request-draft.ts';

const none = { system: '', temperature: '', topP: '', maxTokens: '' };

it.each([
  [
    'OpenAI chat',
    {
      messages: [
        { role: 'developer', content: 'Be brief' },
        { role: 'user', content: 'First' },
        { role: 'assistant', content: 'Yes' },
        { role: 'user', content: [{ type: 'text', text: 'Second' }, { type: 'image_url' }] },
      ],
      temperature: 0,
      max_completion_tokens: 50,
    },
    { ...none, question: 'Second', system: 'Be brief', temperature: '0', maxTokens: '50' },
  ],
  [
    'Anthropic messages',
    { system: [{ type: 'text', text: 'Be kind' }], messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9 },
    { ...none, question: 'Hi', system: 'Be kind', maxTokens: '9' },
  ],
  [
    'OpenAI responses',
    { input: 'Hi', instructions: 'Rhyme', top_p: 0.5 },
    { ...none, question: 'Hi', system: 'Rhyme', topP: '0.5' },
  ],
  [
    'Gemini',
    {
      contents: [{ parts: [{ text: 'Hi' }] }],
      systemInstruction: { parts: [{ text: 'Rhyme' }] },
      generationConfig: { maxOutputTokens: 7 },
    },
    { ...none, question: 'Hi', system: 'Rhyme', maxTokens: '7' },
  ],
  ['Ollama generate', { prompt: 'Hi', options: { temperature: 1 } }, { ...none, question: 'Hi', temperature: '1' }],
])('reads the last message and the parameters of a request: %s', (_, body, draft) => {
  expect(requestDraft(JSON.stringify(body))).toEqual(draft);
});

it.each(['', '{"messages": 5}', '{"messages":[{"role":"user","content":"cut', '[]', '{"input":[[1],null]}'])(
  'finds no message in %s',
  (text) => {
    expect(requestDraft(text)).toBeUndefined();
  },
);
