import type { ResourceTexts, SchemaTexts } from './types.ts';

const backupCodes = { data: 'The backup codes. They are returned only once.', dataExample: ['k3f9-2m7x', 'p8wq-4t1z'] };

export const secondFactorResources: ResourceTexts<'secondFactor' | 'passkey' | 'accessToken'> = {
  secondFactor: {
    tag: 'Two-factor and passkeys',
    params: { id: 'ID of the user.' },
    operations: {
      login: {
        summary: 'Complete a login with a code',
        description: 'Completes a password login with a code of the authenticator app or a backup code.',
      },
      status: {
        summary: 'Get two-factor status',
        description: 'Tells whether the caller has a second factor and how many backup codes are left.',
      },
      begin: {
        summary: 'Start two-factor setup',
        description: 'Creates a secret for an authenticator app. It takes effect after the first confirmed code.',
      },
      confirm: {
        summary: 'Enable two-factor authentication',
        description: 'Enables the second factor with a first code of the authenticator app and returns backup codes.',
        ...backupCodes,
      },
      renewBackupCodes: {
        summary: 'Renew backup codes',
        description: 'Replaces all backup codes. The old ones stop working.',
        ...backupCodes,
      },
      remove: {
        summary: 'Disable two-factor authentication',
        description: 'Removes the second factor of the caller.',
      },
      reset: {
        summary: 'Reset the second factor of a user',
        description:
          'Removes the second factor and all passkeys of a user with a lower role and ends all sessions of that user.',
      },
    },
  },
  passkey: {
    tag: 'Two-factor and passkeys',
    params: { passkey: 'ID of the passkey.' },
    operations: {
      list: {
        summary: 'List your passkeys',
        description: 'Returns the passkeys of the caller.',
        data: 'The passkeys.',
      },
      begin: {
        summary: 'Start passkey registration',
        description: 'Returns the WebAuthn options with which the browser creates a passkey.',
      },
      create: { summary: 'Register a passkey', description: 'Stores the passkey that the browser created.' },
      remove: {
        summary: 'Delete a passkey',
        description: 'Deletes a passkey of the caller. Fails for the last way to log in.',
      },
      beginLogin: {
        summary: 'Start passkey login',
        description: 'Returns the WebAuthn options with which the browser logs in.',
      },
      login: {
        summary: 'Log in with a passkey',
        description: 'Starts a session. Neither a password nor a two-factor code is needed.',
      },
    },
  },
  accessToken: {
    tag: 'Access tokens',
    params: { id: 'ID of the access token.' },
    operations: {
      list: {
        summary: 'List your access tokens',
        description: 'Returns the named access tokens of the caller, newest first, without their keys.',
        data: 'The access tokens.',
      },
      create: {
        summary: 'Create an access token',
        description: 'Creates a named access token, at most 50 per user. The key is returned only in this response.',
      },
      revoke: {
        summary: 'Revoke an access token',
        description: 'Revokes a named access token. The next call with it fails.',
      },
    },
  },
};

const response = 'Credential as returned by `navigator.credentials`, serialized as WebAuthn JSON.';
const credential = { id: 'AAECAwQFBgc', rawId: 'AAECAwQFBgc', type: 'public-key', response: {} };

export const secondFactorSchemas: SchemaTexts = {
  SecondFactorLoginRequest: {
    description: 'Second step of a login.',
    fields: { ticket: 'Ticket from the response to the password login.' },
  },
  SecondFactorStatusData: {
    description: 'State of the second factor.',
    fields: {
      isOn: 'True: logins require a code.',
      backupCodes: 'Number of unused backup codes.',
      isRequired: 'True: the gateway requires admins to have a second factor, and the caller is one.',
    },
    example: { backupCodes: 8, isRequired: false },
  },
  SecondFactorBeginData: {
    description: 'Secret for an authenticator app.',
    fields: {
      secret: 'The secret in Base32, for manual entry.',
      uri: 'The `otpauth://` URI, shown as a QR code.',
    },
    example: {
      secret: 'JBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Headgate:alice?secret=JBSWY3DPEHPK3PXP&issuer=Headgate',
    },
  },
  SecondFactorConfirmRequest: {
    description: 'First code of the authenticator app.',
    fields: { code: 'Six digits of the authenticator app.' },
  },
  SecondFactorRenewBackupCodesRequest: { description: 'Proof for new backup codes.' },
  SecondFactorRemoveRequest: { description: 'Proof for removing the second factor.' },
  Passkey: {
    description: 'A passkey of a user.',
    fields: { id: 'ID of the passkey.', name: 'Name that the user gave it.' },
    example: { id: 'AAECAwQFBgc', name: 'Laptop' },
  },
  PasskeyChallenge: {
    description: 'A WebAuthn ceremony that the browser has to complete.',
    fields: { options: 'WebAuthn options as JSON, to be passed to the browser unchanged.' },
    example: { options: { challenge: 'Y2hhbGxlbmdl', timeout: 60_000 } },
  },
  PasskeyCreateRequest: {
    description: 'A passkey that the browser created.',
    fields: { response, name: 'Name of the passkey, at most 50 characters.' },
    example: { response: credential, name: 'Laptop' },
  },
  PasskeyLoginRequest: {
    description: 'A passkey login that the browser completed.',
    fields: { response },
    example: { response: credential },
  },
  AccessToken: {
    description: 'A named access token for this API.',
    fields: {
      name: 'Name of the access token, at most 50 characters.',
      scope: 'What the access token may do: `all`, `read`, `usage` or `channels`.',
      used_time: 'Time of the last use, Unix seconds, accurate to a minute. 0: never used.',
    },
    example: { name: 'Grafana', scope: 'read' },
  },
  CreatedAccessToken: {
    description: 'A new access token with its key.',
    like: 'AccessToken',
    fields: { key: 'The key: `hg_` and 43 characters. It is returned only once.' },
    example: { key: 'hg_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG', used_time: 0 },
  },
  AccessTokenCreateRequest: { description: 'A new access token.', like: 'AccessToken' },
};
