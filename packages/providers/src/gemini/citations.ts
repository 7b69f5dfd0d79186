import { type Citation, listAt, objectAt, textAt } from '@headgate/dialects';

/** Sources of a response: search results with the text they support, and quotations. */
export function citationsIn(candidate: unknown): readonly Citation[] {
  const grounding = objectAt(candidate, 'groundingMetadata');
  const borne = textByChunk(grounding);
  const found = listAt(grounding, 'groundingChunks').map((chunk, index) => {
    const source = sourceNames.map((name) => objectAt(chunk, name)).find((place) => textAt(place, 'uri') !== '');
    return citationOf(source, borne.get(index));
  });
  const quotes = objectAt(candidate, 'citationMetadata');
  const quoted = [...listAt(quotes, 'citationSources'), ...listAt(quotes, 'citations')].map((source) =>
    citationOf(source, undefined),
  );
  return [...found, ...quoted].flatMap((citation) => citation ?? []);
}

const sourceNames = ['web', 'retrievedContext', 'maps'];

/** First text segment supported by each source. */
function textByChunk(grounding: unknown): ReadonlyMap<unknown, string> {
  const words = new Map<unknown, string>();
  for (const support of listAt(grounding, 'groundingSupports')) {
    const text = textAt(objectAt(support, 'segment'), 'text');
    for (const index of listAt(support, 'groundingChunkIndices')) {
      if (text !== '' && !words.has(index)) words.set(index, text);
    }
  }
  return words;
}

function citationOf(source: unknown, text: string | undefined): Citation | undefined {
  const url = textAt(source, 'uri');
  const title = textAt(source, 'title');
  if (url === '') return undefined;
  return { url, ...(title !== '' && { title }), ...(text !== undefined && { text }) };
}
