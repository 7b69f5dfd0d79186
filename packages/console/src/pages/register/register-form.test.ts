import { describe, expect, test } from 'vitest';
import { bodyOf, emptyForm, validateRegistration } from './register-form.ts';

const form = { ...emptyForm, username: 'ada', password: 'long enough', password2: 'long enough' };

describe('validation', () => {
  test.each([
    ['a valid form', form, { fields: {} }],
    ['a blank name', { ...form, username: ' ' }, { fields: { username: 'Please enter a username' } }],
    [
      'an empty form',
      emptyForm,
      { fields: { username: 'Please enter a username', password: 'Please enter a password' } },
    ],
    [
      'a short password that is not repeated',
      { ...form, password: '1234567' },
      {
        fields: { password: 'Password length must not be less than 8 characters!' },
        message: 'Password length must not be less than 8 characters!',
      },
    ],
    [
      'two different passwords',
      { ...form, password2: 'long enougH' },
      {
        fields: { password2: 'The two passwords entered do not match' },
        message: 'The two passwords entered do not match',
      },
    ],
  ])('validates %s', (_, given, mistakes) => expect(validateRegistration(given)).toEqual(mistakes));
});

describe('[S3.28] request body', () => {
  const written = { ...form, username: ' ada ', email: ' a@example.com ', verification_code: ' 123456 ' };

  test('the request body includes an email address if required', () => {
    expect(bodyOf(written, { requiresEmail: true, inviteCode: 'AbCd' })).toEqual({
      username: 'ada',
      password: 'long enough',
      password2: 'long enough',
      email: 'a@example.com',
      verification_code: '123456',
      aff_code: 'AbCd',
    });
  });

  test('the request body omits the email address if it is not required', () => {
    expect(bodyOf(written, { requiresEmail: false, inviteCode: '' })).toMatchObject({
      email: '',
      verification_code: '',
    });
  });
});
