import { onePixelImage } from './chat-cases.ts';

export const userText = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });

export const weather = {
  name: 'weather',
  description: 'The weather of a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** The suite's requests in Claude's format, on any host of Claude. */
export const claudeBodies = {
  conversation: {
    messages: [
      userText('My name is Ada'),
      { role: 'assistant', content: [{ type: 'text', text: 'Hello Ada' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is ' },
          { type: 'text', text: 'my name?' },
        ],
      },
    ],
    temperature: 0.5,
  },
  system: {
    system: 'Be brief\n\nBe kind',
    messages: [userText('Hello')],
    stop_sequences: ['END', 'STOP'],
  },
  toolCall: { messages: [userText('Weather in Oslo?')], tools: [weather], tool_choice: { type: 'any' } },
  toolResult: {
    messages: [
      userText('Weather in Oslo and Rome?'),
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Oslo' } },
          { type: 'tool_use', id: 'call_2', name: 'weather', input: { city: 'Rome' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: 'rain' },
          { type: 'tool_result', tool_use_id: 'call_2', content: 'sun' },
        ],
      },
    ],
    tools: [weather],
  },
  image: {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: onePixelImage } },
        ],
      },
    ],
  },
} as const;
