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
    ["OpenAI's safety identifier", { safety_identifier: 'u-3' }, {}, { end_user: 'u-3' }],
    ["LiteLLM's header for end users", { user: 'u-1' }, { 'x-litellm-end-user-id': 'u-4' }, { end_user: 'u-4' }],
    ["LiteLLM's header for customers", {}, { 'x-litellm-customer-id': 'auth0|5' }, { end_user: 'auth0|5' }],
    ['a body whose user is blank', { user: ' ', metadata: { user_id: 'u-2' } }, {}, { end_user: 'u-2' }],
    ['an end user that is no text', { user: { id: 1 }, safety_identifier: 7 }, {}, undefined],
    ['an end user of 2,000 characters', { user: `{"device_id":"a","x":"${'x'.repeat(2000)}"}` }, {}, undefined],
    ['no source', {}, {}, undefined],
    ['keys that are not allowed', {}, { 'x-headgate-tags': 'secret=1' }, undefined],
    ['invalid values', { user: '"}' }, { 'x-headgate-tags': 'team="x"' }, undefined],
    ['a header that is too long', {}, { 'x-headgate-tags': `team=a,${'x'.repeat(4000)}` }, undefined],
  ])('are read from %s', (_, body, headers, expected) => {
    expect(tagsOf(body, headers)).toEqual(expected);
  });

  const session = '123e4567-e89b-12d3-a456-426614174000';
  it.each([
    ['its id', `user_1a2b_account__session_${session}`],
    ['its id with an account', `user_1a2b_account_${session}_session_${session}`],
    ['its id as JSON', JSON.stringify({ device_id: '1a2b', account_uuid: '', session_id: session })],
  ])('count all sessions of Claude Code as one end user: %s', (_, user_id) => {
    expect(tagsOf({ metadata: { user_id } })).toEqual({ end_user: 'user_1a2b' });
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
