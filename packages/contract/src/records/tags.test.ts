import { describe, expect, it } from 'vitest';
import { parseTag, parseTags, tagList } from './tags.ts';

describe('request tags', () => {
  it.each([
    ['team=search', ['team', 'search']],
    [' Team = Search & rank', undefined],
    [' Team = Search and rank ', ['team', 'Search and rank']],
    ['team=', undefined],
    ['=search', undefined],
    ['team', undefined],
    ['9team=search', undefined],
    ['team="x"', undefined],
    ['end_user=auth0|5f7c', ['end_user', 'auth0|5f7c']],
    ['team=搜索', ['team', '搜索']],
    [`team=${'x'.repeat(129)}`, undefined],
    ['__proto__=x', undefined],
  ])('reads %s', (text, expected) => {
    expect(parseTag(text)).toEqual(expected);
  });

  it('uses the first value if a key has a list of values, and skips invalid parts', () => {
    expect(parseTags('team=a, team=b, nonsense, feature=c')).toEqual({ team: 'a', feature: 'c' });
  });

  it('rejects a list with an invalid, repeated or eleventh tag', () => {
    const tags = (count: number) => Array.from({ length: count }, (_, index) => `k${index}=v`).join(',');
    expect(tagList.parse(' Team = a ,feature=b')).toBe('team=a,feature=b');
    expect([tags(11), 'team=a,team=b', 'team'].map((text) => tagList.safeParse(text).success)).toEqual([
      false,
      false,
      false,
    ]);
    expect(tagList.safeParse(tags(10)).success).toBe(true);
  });
});
