import { endpointKinds, readRequest } from '@headgate/relay';
import { describe, expect, it } from 'vitest';
import { readTags, withoutMetadataTags } from './request-tags.ts';
import { TagValues } from './tag-values.ts';

const { chat } = endpointKinds;

const requestOf = (body: object, headers: Record<string, string> = {}) =>
  readRequest(chat, Buffer.from(JSON.stringify({ model: 'gpt-4o', messages: [], ...body })), headers);

const keys = ['team', 'feature', 'tag', 'end_user'];

const tagsOf = (body: object, headers: Record<string, string> = {}, fixed?: Record<string, string>) => {
  const tags = readTags(requestOf(body, headers), { keys, fixed, user: 1, values: new TagValues() });
  return tags.size === 0 ? undefined : Object.fromEntries(tags);
};

describe('request tags', () => {
  it.each([
    [
      'its own header',
      {},
      { 'x-headgate-tags': 'team=search, feature=summary' },
      { team: 'search', feature: 'summary' },
    ],
    ["LiteLLM's header", {}, { 'x-litellm-tags': 'team:search,plain' }, { team: 'search', tag: 'plain' }],
    ['metadata.tags', { metadata: { tags: ['team:search', 7] } }, {}, { team: 'search' }],
    ["OpenAI's user", { user: 'u-1' }, {}, { end_user: 'u-1' }],
    ["Anthropic's user", { metadata: { user_id: 'u-2' } }, {}, { end_user: 'u-2' }],
    ['no source', {}, {}, undefined],
    ['keys that are not allowed', {}, { 'x-headgate-tags': 'secret=1' }, undefined],
    ['invalid values', { user: '"}' }, { 'x-headgate-tags': 'team="x"' }, undefined],
    ['a header that is too long', {}, { 'x-headgate-tags': `team=a,${'x'.repeat(4000)}` }, undefined],
  ])('are read from %s', (_, body, headers, expected) => {
    expect(tagsOf(body, headers)).toEqual(expected);
  });

  it("cannot replace the token's fixed tags", () => {
    const headers = { 'x-headgate-tags': 'team=other,feature=x' };
    expect(tagsOf({}, headers, { team: 'search' })).toEqual({ team: 'search', feature: 'x' });
  });

  it('[A74.2] become "other" when a user sends too many in one day, without affecting other users', () => {
    let now = 0;
    const values = new TagValues(() => now, { ofUser: 2, ofAll: 3 });
    const admitted = (user: number, ...sent: string[]) => sent.map((value) => values.admit(user, 'team', value));
    expect(admitted(1, 'a', 'b', 'c', 'a')).toEqual(['a', 'b', 'other', 'a']);
    expect(values.admit(1, 'feature', 'a')).toBe('other');
    expect(admitted(2, 'c', 'd')).toEqual(['c', 'other']);
    now = 86_400_000;
    expect(admitted(1, 'c')).toEqual(['c']);
  });

  it('are not sent to upstreams in metadata', () => {
    const sent = (metadata: object) => withoutMetadataTags(requestOf({ metadata })).bytes.toString();
    expect(sent({ tags: ['team:a'], user_id: 'u' })).toContain('"metadata":{"user_id":"u"}');
    expect(sent({ tags: ['team:a'] })).not.toContain('metadata');
    const untouched = requestOf({ metadata: { user_id: 'u' } });
    expect(withoutMetadataTags(untouched)).toBe(untouched);
  });
});
