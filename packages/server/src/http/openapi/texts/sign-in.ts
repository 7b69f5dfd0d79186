import type { ResourceTexts, SchemaTexts } from './types.ts';

const signInCode = 'Authorization code that the provider passed to the redirect URI.';
const callbackQuery = {
  code: signInCode,
  state: 'State from `GET /api/oauth/state`. Protects against forged callbacks.',
  aff_code: 'Invite code, used when the login creates an account. Empty: none.',
};

const callback = (provider: string) => ({
  summary: `Log in with ${provider}`,
  description: `Completes the redirect from ${provider}. Logs in the linked user, or creates an account if registration is enabled. For a logged-in caller it links the ${provider} account instead; \`message\` is then \`bind\` and \`data\` is omitted.`,
  query: callbackQuery,
});

export const signInResources: ResourceTexts<'session' | 'registration' | 'oauth'> = {
  session: {
    tag: 'Login',
    params: { session: 'ID of the session.' },
    operations: {
      login: {
        summary: 'Log in with a password',
        description:
          'Starts a session and sets the session cookie. With two-factor authentication, `message` is `second_factor`, `data` is omitted, and `ticket` is needed for `POST /api/user/login/second`. After repeated failures a bot check is required.',
      },
      list: {
        summary: 'List your sessions',
        description: 'Returns the sessions of the caller, latest first.',
        data: 'The sessions.',
      },
      end: { summary: 'End one of your sessions', description: 'Signs the caller out of one session.' },
      proof: {
        summary: 'Check whether confirmation is needed',
        description:
          'Tells whether sensitive operations currently require the caller to confirm their identity, and how. A login or confirmation is valid for 10 minutes.',
      },
      prove: {
        summary: 'Confirm your identity',
        description:
          'Confirms the identity of the caller for 10 minutes, with a two-factor code if the account has a second factor, otherwise with the password.',
      },
      logout: { summary: 'Log out', description: 'Ends the current session.' },
    },
  },
  registration: {
    tag: 'Login',
    query: { email: 'Email address that receives the message.' },
    operations: {
      register: {
        summary: 'Register',
        description: 'Creates an account. Fails while registration is disabled.',
        query: { turnstile: 'Cloudflare Turnstile response token. Required when the bot check is enabled.' },
      },
      sendCode: {
        summary: 'Send a verification code',
        description: 'Sends a verification code for registration, or for linking the address, by email.',
      },
      requestReset: {
        summary: 'Request a password reset',
        description:
          'Sends a password reset link to the email address of an account. Succeeds even if the address is unknown.',
      },
      reset: {
        summary: 'Reset a password',
        description:
          'Sets a new random password with the token of a reset link. All sessions and access tokens of the user end; API tokens keep working.',
        data: 'The new password. It is returned only once.',
        dataExample: 'kT7mPq2xWz9a',
      },
    },
  },
  oauth: {
    tag: 'Login',
    params: { binding: 'The linked login method to remove.' },
    operations: {
      state: {
        summary: 'Start an external login',
        description:
          'Creates the state of one external login. With `provider`, `url` is the page to which the browser is to be redirected.',
        query: { provider: 'The provider. Omitted: only the state is created.' },
        data: 'The state to pass to the provider.',
        dataExample: 'Zm9vYmFyLXN0YXRl',
      },
      github: callback('GitHub'),
      lark: callback('Lark'),
      oidc: callback('OpenID Connect'),
      wechat: {
        summary: 'Log in with WeChat',
        description: 'Logs in with the code that the WeChat account sent to the user.',
        query: { code: 'Code from the WeChat account.', aff_code: callbackQuery.aff_code },
      },
      bindWechat: {
        summary: 'Link WeChat',
        description: 'Links a WeChat account to the account of the caller.',
        query: { code: 'Code from the WeChat account.' },
      },
      bindEmail: {
        summary: 'Link an email address',
        description: 'Sets the email address of the caller after verifying it with a code.',
        query: { email: 'The email address to link.', code: 'Verification code sent to the address.' },
      },
      unbind: {
        summary: 'Unlink a login method',
        description: 'Removes a linked account or the email address of the caller. Fails for the last way to log in.',
      },
      elsewhere: {
        summary: 'Get external login of the super admin',
        description:
          'Tells whether the caller, a super admin, can log in through external providers and reset the password by email.',
      },
      allowElsewhere: {
        summary: 'Set external login of the super admin',
        description:
          'Allows or forbids login through external providers and password reset by email for the caller, a super admin.',
      },
    },
  },
};

export const signInSchemas: SchemaTexts = {
  SessionLoginRequest: {
    description: 'Credentials of a login.',
    fields: { username: 'Username or email address.', password: 'The password.' },
    example: { turnstile: undefined },
  },
  LoginOutcome: {
    description: 'How a login ended.',
    fields: {
      message:
        'Empty: logged in. `second_factor`: a two-factor code is needed. `bind`: an external account was linked.',
      ticket: 'Ticket for `POST /api/user/login/second`. Present only when a two-factor code is needed.',
    },
    example: { ticket: undefined },
  },
  SignedInUser: { description: 'The user who logged in.', like: 'User' },
  Session: {
    description: 'A session of a user.',
    fields: {
      id: 'ID of the session. It cannot be used to log in.',
      address: 'IP address of the last use.',
      user_agent: 'User agent of the browser.',
      created_time: 'Time of the login, Unix seconds.',
      seen_time: 'Time of the last use, Unix seconds. Updated at most once an hour.',
      isCurrent: 'True: the session of this call.',
    },
    example: { id: 'a1b2c3d4' },
  },
  UserSession: { description: 'A session of a user, as an admin sees it.', like: 'Session' },
  SessionProofData: {
    description: 'Whether the caller has to confirm their identity.',
    fields: {
      isNeeded: 'True: sensitive operations fail until the identity is confirmed.',
      by: 'What confirms the identity: a two-factor `code`, the `password`, or a new `login`.',
    },
  },
  SessionProveRequest: {
    description: 'Confirmation of identity.',
    fields: { proof: 'Two-factor code, backup code or password.' },
    example: { proof: '123456' },
  },
  RegistrationRegisterRequest: {
    description: 'A new account.',
    fields: {
      password2: 'Ignored. Accepted because forms of One API send the repeated password.',
      email: 'Email address. Required when email verification is enabled.',
      verification_code: 'Code sent by `GET /api/verification`. Required when email verification is enabled.',
    },
    example: { verification_code: '', email: '', aff_code: '' },
  },
  RegistrationResetRequest: {
    description: 'Password reset with a mailed link.',
    fields: { email: 'Email address of the account.', token: 'Token of the reset link.' },
    example: { token: '9f8e7d6c5b4a' },
  },
  OauthStateOutcome: {
    description: 'Where to send the browser.',
    fields: { url: "URL of the provider's login page. Present only when a provider was given." },
    example: { url: 'https://github.com/login/oauth/authorize?client_id=Iv1.0123456789abcdef&state=Zm9vYmFyLXN0YXRl' },
  },
  ExternalSignIn: {
    description: 'External login of a super admin.',
    fields: { isAllowed: 'True: external providers and password reset by email are allowed.' },
    example: { isAllowed: false },
  },
};
