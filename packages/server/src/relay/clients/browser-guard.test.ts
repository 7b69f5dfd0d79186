import { describe, expect, it } from 'vitest';
import { rejectBrowserContent } from './browser-guard.ts';

const codeOf = (headers: Record<string, string>): string | undefined => {
  try {
    rejectBrowserContent(headers);
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

const json = { 'content-type': 'application/json', 'content-length': '2' };
const key = { authorization: 'Bearer sk-1' };

describe('rejectBrowserContent', () => {
  it.each([
    'document',
    'iframe',
    'frame',
    'embed',
    'object',
    'fencedframe',
    'script',
    'serviceworker',
    'sharedworker',
    'worker',
    'audioworklet',
    'style',
    'xslt',
    'json',
    'manifest',
    'Document',
    'empty, document',
    '',
    'anything new',
  ])('[A63.5] rejects the fetch destination %j with any key and from any site', (destination) => {
    for (const site of ['none', 'same-origin', 'same-site', 'cross-site'])
      expect(codeOf({ ...json, ...key, 'sec-fetch-dest': destination, 'sec-fetch-site': site })).toBe(
        'browser_navigation',
      );
  });

  it.each(['empty', 'image', 'audio', 'video'])('accepts the fetch destination %s', (destination) => {
    expect(codeOf({ ...json, ...key, 'sec-fetch-dest': destination, 'sec-fetch-site': 'cross-site' })).toBeUndefined();
  });

  it.each([
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'Text/Plain;charset=UTF-8' },
    { 'content-type': 'text/plain', ...key },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-length': '12' },
    { 'transfer-encoding': 'chunked', ...key },
  ])('[A63.6] rejects a form with %j from another site', (headers) => {
    for (const site of ['cross-site', 'same-site', 'nonsense'])
      expect(codeOf({ ...headers, 'sec-fetch-site': site })).toBe('cross_site_form');
    for (const site of ['same-origin', 'none']) expect(codeOf({ ...headers, 'sec-fetch-site': site })).toBeUndefined();
    expect(codeOf(headers)).toBeUndefined();
  });

  it.each([
    json,
    { 'content-type': 'multipart/form-data; boundary=x', ...key },
    { 'content-type': 'multipart/form-data; boundary=x', 'x-api-key': 'sk-1' },
    {},
    { 'content-length': '0' },
  ])('accepts %j from a page on another site', (headers) => {
    expect(codeOf({ ...headers, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'empty' })).toBeUndefined();
  });
});
