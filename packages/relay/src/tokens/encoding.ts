/** A vocabulary of tokens, as the tokenizer names it. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/** GPT-3.5, GPT-4 before 4o, and the embeddings; whatever stands before the name, such as a vendor or `ft:`. */
const older = /(?:^|[/:])(?:gpt-3\.?5|gpt-4(?:$|-)|text-embedding-)/;

/** What OpenAI's models count with; the nearest there is for everybody else's. */
export const encodingOf = (model: string): Encoding => (older.test(model) ? 'cl100k_base' : 'o200k_base');
