/** The dialects in which a token may be used. */
export const tokenDialects = {
  openai: { label: 'OpenAI' },
  anthropic: { label: 'Anthropic' },
  gemini: { label: 'Gemini' },
  ollama: { label: 'Ollama' },
} as const;
export type TokenDialect = keyof typeof tokenDialects;

/** What a token may be used for. */
export const tokenEndpoints = {
  conversations: { label: 'Conversation' },
  completions: { label: 'Completions' },
  embeddings: { label: 'Embeddings' },
  moderations: { label: 'Moderations' },
  rerank: { label: 'Rerank' },
  images: { label: 'Images' },
  speech: { label: 'Speech' },
  transcriptions: { label: 'Transcriptions' },
} as const;
export type TokenEndpoint = keyof typeof tokenEndpoints;

export const isTokenDialect = (name: string): name is TokenDialect => Object.hasOwn(tokenDialects, name);
export const isTokenEndpoint = (name: string): name is TokenEndpoint => Object.hasOwn(tokenEndpoints, name);

/** Whether a name fits a pattern in which each star stands for any characters, none included. In one pass, whatever it is. */
export function fitsPattern(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
