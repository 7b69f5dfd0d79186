import { isObject, type JsonObject, requiredText, requireList, requireObject } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { objectAt, textAt } from '../upstream-fields.ts';

/** Maximum number of pages of a document: Mistral's limit. */
export const maxDocumentPages = 1000;

/** Fields of a document by its type. Files stored at the provider are not supported: they belong to the operator. */
const documentFields: ReadonlyMap<unknown, ReadonlySet<string>> = new Map([
  ['document_url', new Set(['type', 'document_url', 'document_name'])],
  ['image_url', new Set(['type', 'image_url'])],
]);

/** Rejects documents other than a URL, and invalid page numbers. */
export function checkOcrRequest(body: JsonObject): void {
  const document = requireObject(body['document'], 'document');
  const { type } = document;
  const names = documentFields.get(type);
  if (!names) throw new RequestProblem('document.type', 'document.type must be document_url or image_url');
  const other = Object.keys(document).find((name) => !names.has(name));
  if (other !== undefined) {
    const at = `document.${other.slice(0, 100)}`;
    throw new RequestProblem(at, `${at} is not supported`);
  }
  const at = `document.${String(type)}`;
  if (documentUrl(document, at) === '') throw new RequestProblem(at, `${at} must not be empty`);
  checkPages(body['pages']);
}

/** URL of the document, which OpenAI's format for images puts into an object. */
function documentUrl(document: JsonObject, at: string): string {
  const image = document['image_url'];
  return isObject(image)
    ? requiredText(image['url'], `${at}.url`)
    : requiredText(image ?? document['document_url'], at);
}

function checkPages(pages: unknown): void {
  if (pages === undefined || pages === null) return;
  const numbers = requireList(pages, 'pages');
  if (numbers.length > maxDocumentPages) {
    throw new RequestProblem('pages', `pages must contain at most ${maxDocumentPages} items`);
  }
  const isPage = (page: unknown) => Number.isSafeInteger(page) && Number(page) >= 0;
  if (!numbers.every(isPage)) throw new RequestProblem('pages', 'pages must be a list of page numbers, starting at 0');
}

/** Start of an inline image of one page. TIFF and GIF files may contain several images. */
const singleImage = /^data:image\/(?:png;base64,iVBORw0KGgo|jpe?g;base64,\/9j\/|webp;base64,UklGR)/;

/** Number of pages of a validated OCR request; undefined if it depends on the document. */
export function requestedPages(body: JsonObject): number | undefined {
  const { pages } = body;
  if (Array.isArray(pages) && pages.length > 0) return pages.length;
  const document = objectAt(body, 'document');
  const url = textAt(document, 'image_url') || textAt(objectAt(document, 'image_url'), 'url');
  return singleImage.test(url) ? 1 : undefined;
}
