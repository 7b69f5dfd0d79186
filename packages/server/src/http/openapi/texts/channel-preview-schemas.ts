import type { SchemaTexts } from './types.ts';

export const channelPreviewSchemas: SchemaTexts = {
  ChannelPreviewShowRequest: {
    description: 'A sample request of a client.',
    fields: {
      endpoint: 'Endpoint that the client calls.',
      model: 'Model in the path, for Gemini, or of the sample request.',
      body: 'Body of the request as JSON. Empty: a short chat.',
      headers: 'Headers of the client, by name.',
      rules: 'Unsaved rules as JSON. Omitted: the rules of the channel.',
    },
    example: { endpoint: 'chat', model: 'gpt-4o', body: '', headers: {}, rules: undefined },
  },
  ChannelPreviewShowData: {
    description: 'The request that would be sent, with secrets masked.',
    fields: {
      method: 'HTTP method.',
      url: 'URL of the upstream.',
      headers: 'Headers, by name.',
      body: 'The body as text.',
      rules: 'Names of the rules that applied, in order.',
    },
    example: {
      method: 'POST',
      url: 'https://api.openai.com/v1/chat/completions',
      headers: { authorization: 'Bearer ***' },
      body: '{"model":"gpt-4o","messages":[{"role":"user","content":"Hello"}]}',
      rules: ['gateway headers'],
    },
  },
};
