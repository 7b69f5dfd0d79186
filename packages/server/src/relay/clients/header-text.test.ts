import { describe, expect, it } from 'vitest';
import { headerList } from './http-client-sink.ts';

const visible = /^[!-~]+(?: [!-~]+)*$/;

describe('headerList', () => {
  it('joins plain names unchanged', () => {
    expect(headerList(['temperature', 'tools[0].type', 'web_search_20250305'])).toBe(
      'temperature, tools[0].type, web_search_20250305',
    );
  });

  it('[A63.8] escapes everything but visible ASCII, and commas inside entries', () => {
    expect(headerList(['a\r\nset-cookie: b', 'c,d', 'é中', '50%', 'lone \ud800'])).toBe(
      'a%0D%0Aset-cookie:%20b, c%2Cd, %C3%A9%E4%B8%AD, 50%25, lone%20%EF%BF%BD',
    );
  });

  it.each([
    ['one entry of 200 kB', ['x'.repeat(200_000)]],
    ['one entry of 200 kB that needs escaping', ['中'.repeat(200_000)]],
    ['100,000 entries', Array.from({ length: 100_000 }, (_, index) => `field_${index}`)],
    ['10 long entries that need escaping', Array.from({ length: 10 }, () => '\u{1f600}'.repeat(100))],
  ])('[A63.8] truncates %s at 1 kB and marks the truncation', (_, entries) => {
    const value = headerList(entries);
    expect(value.length).toBeLessThanOrEqual(1024);
    expect(value).toMatch(visible);
    expect(value).toMatch(/\.\.\.$/);
  });

  it('does not mark a list that is not truncated', () => {
    expect(headerList(Array.from({ length: 50 }, (_, index) => `field_${index}`))).not.toContain('...');
  });
});
