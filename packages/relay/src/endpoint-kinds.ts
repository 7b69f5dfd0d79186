/** One of OpenAI's endpoints that take JSON and answer JSON or a stream. */
export interface EndpointKind {
  readonly path: string;
  readonly canStream: boolean;
  /** The field without which there is nothing to do, and where the text to count stands. */
  readonly input: 'messages' | 'prompt' | 'input';
  /** Asked for when the client names none. */
  readonly defaultModel?: string;
  /** The answer is as long as the model likes, not as the request is. */
  readonly answersText: boolean;
}

export const endpointKinds = {
  chat: { path: '/v1/chat/completions', canStream: true, input: 'messages', answersText: true },
  completions: { path: '/v1/completions', canStream: true, input: 'prompt', answersText: true },
  embeddings: { path: '/v1/embeddings', canStream: false, input: 'input', answersText: false },
  moderations: {
    path: '/v1/moderations',
    canStream: false,
    input: 'input',
    answersText: false,
    defaultModel: 'text-moderation-latest',
  },
} as const satisfies Record<string, EndpointKind>;
