/** API dialects to which a token can be restricted. */
export const tokenDialects = {
  openai: { label: 'OpenAI' },
  anthropic: { label: 'Anthropic' },
  gemini: { label: 'Gemini' },
  ollama: { label: 'Ollama' },
} as const;
export type TokenDialect = keyof typeof tokenDialects;

/** Endpoints to which a token can be restricted. */
export const tokenEndpoints = {
  conversations: { label: 'Conversation' },
  completions: { label: 'Completions' },
  embeddings: { label: 'Embeddings' },
  moderations: { label: 'Moderations' },
  rerank: { label: 'Rerank' },
  ocr: { label: 'OCR' },
  images: { label: 'Images' },
  speech: { label: 'Speech' },
  transcriptions: { label: 'Transcriptions' },
} as const;
export type TokenEndpoint = keyof typeof tokenEndpoints;

export const isTokenDialect = (name: string): name is TokenDialect => Object.hasOwn(tokenDialects, name);
export const isTokenEndpoint = (name: string): name is TokenEndpoint => Object.hasOwn(tokenEndpoints, name);

/** True if a name matches a pattern in which `*` stands for any characters. Linear time, even for hostile patterns. */
export function matchesPattern(pattern: string, name: string): boolean {
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
