import { describe, expect, test } from 'vitest';
import { toChannels } from './litellm-channels.ts';
import { collectDeployments } from './litellm-deployments.ts';
import { decryptWith, isProbablyEncrypted } from './litellm-secrets.ts';
import { openSecretBox } from './secret-box.ts';

const bytes = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex');
const salt = 'sk-salt-1234';
/** Encrypted with this salt key by TweetNaCl (without a prefix) and Python's cryptography. */
const stored = {
  model: 'q7N1237PQXSNqQgCmcA_LrzgUEABlYrojo4J9gHL1KOVQuMklnumxPnQEoGMUf9fFEM3-a8=',
  oldModel: 'q7N1237PQXSNqQgCmcA/LrzgUEABlYrojo4J9gHL1KOVQuMklnumxPnQEoGMUf9fFEM3+a8=',
  key: 'X6rFouqkVWx9j9tzbwFCtKPsGiXHb-rivQoMRUBog6uY69d_FfwuP7ckbeNgjEHoPISVk0Hm41amzkh6d9w=',
  base: 'U67iynYrlykZav7v0ivVq9y9-HoPKcwN7vv_XXuL7y0LkaoCX2FXwi1dxB2nLKm7S2ZuS8Kl2pKzvKDfEbl2ad_a',
  claude: 'v3:gcm:AAECAwQFBgcICQoLYiMOvjyMRdGKDKKNxwE4MIG1hOv5y2Rjjbmj015OO9XN-emI6HKmJjhdSg==',
  claudeKey: 'v2:gcm:AAECAwQFBgcICQoL63wyrG5-1acy_Zg-dE3lhMNrYW8F6e_6AmXgoivkHvZ6',
} as const;

describe('secret box', () => {
  const key = bytes('1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389');
  const nonce = bytes('69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37');
  const message =
    bytes(`be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c6129
    6cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd49
    24ca1c60902e52f0a089bc76897040e082f937763848645e0705`);
  const sealed =
    bytes(`f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186ac0
    dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6b
    b3732bc0e9da99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5`);

  test("decrypts NaCl's test vector", () => {
    expect(openSecretBox(Buffer.concat([nonce, sealed]), key)).toEqual(message);
  });

  test.each([0, 24, 40, 80])('rejects data if byte %i is changed', (at) => {
    const box = Buffer.concat([nonce, sealed]);
    box[at] = (box[at] ?? 0) ^ 1;
    expect(openSecretBox(box, key)).toBeUndefined();
  });

  test.each([0, 24, 39])('rejects data of %i bytes', (length) => {
    expect(openSecretBox(Buffer.alloc(length), key)).toBeUndefined();
  });
});

describe('values of a LiteLLM database', () => {
  const decrypt = decryptWith(['another key', salt]);

  test.each([
    [stored.model, 'openai/gpt-4o'],
    [stored.oldModel, 'openai/gpt-4o'],
    [stored.base, 'https://api.example.com/v1'],
    [stored.claude, 'anthropic/claude-sonnet-4-5'],
    [stored.claudeKey, 'sk-ant-of-litellm'],
  ])('%s is decrypted', (value, text) => {
    expect(decrypt(value)).toBe(text);
    expect(decryptWith([])(value)).toBeUndefined();
    expect(decryptWith(['wrong'])(value)).toBeUndefined();
  });

  test.each([
    '',
    'openai/gpt-4o',
    'v3:gcm:',
    'v3:gcm:AAAA',
    'v9:new:AAAA',
    'v2:gcm:%%%%',
    'A'.repeat(54),
    'fireworks_ai/accounts/fireworks/models/llama-v3-405b-instruct',
  ])('returns undefined for unencrypted or malformed %s', (value) => {
    expect(decrypt(value)).toBeUndefined();
  });

  test('are recognized as encrypted in every format', () => {
    expect(Object.values(stored).every(isProbablyEncrypted)).toBe(true);
  });
});

describe('models of the database', () => {
  const environment = (name: string) => `value of ${name}`;
  const channelOf = (parameters: object, secrets: readonly string[] = [salt], credentials: readonly object[] = []) => {
    const models = [{ model_name: 'm', litellm_params: JSON.stringify(parameters) }];
    const rows = credentials.map((values) => ({
      credential_name: 'shared',
      credential_values: JSON.stringify(values),
    }));
    const found = collectDeployments(undefined, { models, credentials: rows, decrypt: decryptWith(secrets) });
    return toChannels(found, 'default', environment).rows[0];
  };
  const encrypted = { model: stored.model, api_key: stored.key, api_base: stored.base, rpm: 5 };
  const sealed = expect.stringMatching(/^is encrypted: set LITELLM_SALT_KEY/);

  test('become channels with the salt key', () => {
    expect(channelOf(encrypted)).toMatchObject({
      type: 1,
      key: 'sk-upstream-of-litellm',
      base_url: 'https://api.example.com',
      model_mapping: '{"m":"gpt-4o"}',
      fault: '',
    });
    expect(channelOf({ model: stored.claude, api_key: stored.claudeKey })).toMatchObject({
      type: 14,
      key: 'sk-ant-of-litellm',
    });
  });

  test.each([[[]], [['another key']]])(
    'are not imported with the keys %j, and their values are not reported',
    (secrets) => {
      for (const model of [stored.model, stored.oldModel, stored.claude, 'v9:new:AAAA']) {
        const row = channelOf({ ...encrypted, model }, secrets);
        expect(row).toMatchObject({ name: 'model m', key: expect.stringMatching(/^os\.environ/), fault: sealed });
        expect(JSON.stringify(row)).not.toContain(stored.key.slice(0, 12));
      }
    },
  );

  test('are not imported if one of their values cannot be decrypted', () => {
    const changed = stored.key.replace('X6rF', 'X6rG');
    expect(channelOf({ ...encrypted, api_key: changed })).toMatchObject({ fault: sealed });
  });

  test('are imported if they are not encrypted, even with long keys', () => {
    const key = `sk-proj-${'a'.repeat(100)}`;
    expect(channelOf({ model: 'openai/gpt-4o', api_key: key }, [])).toMatchObject({ type: 1, key, fault: '' });
  });

  test('[A60.10] may refer to environment variables only if the owner of the salt key wrote them', () => {
    const note = expect.stringContaining('is only read for entries of config.yaml and encrypted models');
    const unknown = { status: 2, key: 'os.environ/AWS_SECRET_ACCESS_KEY', notes: note };
    const plain = { model: 'openai/x', api_base: 'https://evil.example', api_key: 'os.environ/AWS_SECRET_ACCESS_KEY' };
    expect(channelOf(plain)).toMatchObject(unknown);
    expect(channelOf({ model: 'openai/x', api_base: 'https://evil.example' })).toMatchObject({
      status: 2,
      notes: note,
    });
    // An encrypted row with one value replaced.
    expect(channelOf({ ...encrypted, api_base: 'https://evil.example' })).toMatchObject({ fault: sealed });
    expect(channelOf({ model: stored.model })).toMatchObject({ key: 'value of OPENAI_API_KEY', status: 1 });
    const credential = { api_key: 'os.environ/AWS_SECRET_ACCESS_KEY', api_base: 'https://evil.example' };
    expect(channelOf({ model: 'openai/x', litellm_credential_name: 'shared' }, [salt], [credential])).toMatchObject(
      unknown,
    );
  });

  test.each([
    [{ api_key: stored.key, api_base: stored.base }, '', 'sk-upstream-of-litellm'],
    [{ api_key: 'plain' }, '', 'plain'],
    [{ api_key: stored.key.replace('X6', 'Y6') }, 'names credential "shared", which is encrypted', ''],
  ])('use the values of their credential %j', (credential, fault, key) => {
    const row = channelOf({ model: 'openai/gpt-4o', litellm_credential_name: 'shared' }, [salt], [credential]);
    expect(row).toMatchObject({ fault: expect.stringContaining(fault), ...(key !== '' && { key }) });
  });

  test('are not imported if they refer to an unknown credential', () => {
    expect(channelOf({ model: 'openai/gpt-4o', litellm_credential_name: 'gone' })).toMatchObject({
      fault: 'names credential "gone", which does not exist in LiteLLM',
    });
  });
});
