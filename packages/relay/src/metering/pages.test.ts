import { describe, expect, it } from 'vitest';
import { estimatePages, pageUsage } from './pages.ts';

const pdf = { type: 'document_url', document_url: 'https://docs.example/a.pdf' };
const png = { type: 'image_url', image_url: 'data:image/png;base64,iVBORw0KGgoAAA' };
const bodyOf = (document: object, pages?: readonly number[]) => ({ body: { model: 'm', document, pages } });

describe('estimatePages', () => {
  it.each([
    ['a listed page each', bodyOf(pdf, [0, 4, 9]), 3000],
    ['one page of an inline image', bodyOf(png), 1000],
    ['one page of an inline image in an object', bodyOf({ ...png, image_url: { url: png.image_url } }), 1000],
  ])('reserves %s', (_, request, units) => {
    const { most, least, used } = estimatePages(request);
    expect([most.units, least, used.units]).toEqual([units, undefined, units]);
  });

  it.each([
    ['a document', bodyOf(pdf)],
    ['a document with an empty list of pages', bodyOf(pdf, [])],
    ['an image by URL', bodyOf({ type: 'image_url', image_url: 'https://docs.example/a.png' })],
    ['an inline TIFF', bodyOf({ type: 'image_url', image_url: 'data:image/tiff;base64,SUkqAA' })],
    ['an inline PDF declared as PNG', bodyOf({ type: 'image_url', image_url: 'data:image/png;base64,JVBERi0' })],
  ])('[A5.11] reserves up to 1,000 pages for %s, and at least one', (_, request) => {
    const { most, least, used } = estimatePages(request);
    expect([most.units, least?.units, used.units]).toEqual([1_000_000, 1000, 1000]);
  });
});

describe('pageUsage', () => {
  const replyOf = (pages: number, processed?: unknown) => ({
    pages: Array.from({ length: pages }, (_, index) => ({ index })),
    usage_info: { pages_processed: processed },
  });

  it.each([
    ['as reported', replyOf(3, 3), bodyOf(pdf), 3000],
    ['as reported, beyond the returned pages', replyOf(2, 5), bodyOf(pdf), 5000],
    ['nothing for an empty document', replyOf(0, 0), bodyOf(pdf), 0],
  ])('charges pages %s', (_, reply, request, units) => {
    expect(pageUsage(reply, request).use).toEqual({ prompt: 0, completion: 0, units });
  });

  it.each([
    ['none', undefined, bodyOf(pdf), 2000],
    ['zero', 0, bodyOf(pdf), 2000],
    ['a negative number', -1, bodyOf(pdf), 2000],
    ['a fraction', 1.5, bodyOf(pdf), 2000],
    ['text', '2', bodyOf(pdf), 2000],
    ['more than a document has', 1001, bodyOf(pdf), 2000],
    ['more than were requested', 2, bodyOf(pdf, [7]), 1000],
  ])(
    '[A6.2] charges the returned pages, up to the reserve, if the upstream reports %s',
    (_, processed, request, units) => {
      const { use } = pageUsage(replyOf(2, processed), request);
      expect(use).toMatchObject({ units, counted: 'estimate' });
      expect(use.implausible).toBe(typeof processed === 'number' ? `pages_processed ${processed}` : undefined);
    },
  );
});
