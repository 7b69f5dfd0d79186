import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Options as the API returns them. The server's own library creates them, so they are not parsed. */
type Options = Readonly<Record<string, unknown>>;

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id?: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId?: string;
}

/** Values that a dishonest or broken authenticator would send. */
interface ResponseOverrides {
  readonly origin?: string;
  readonly challenge?: string;
  readonly rpId?: string;
  readonly flags?: number;
  readonly counter?: number;
}

const present = 0x01;
const verified = 0x04;
const withCredential = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer) => data.toString('base64url');

/** An in-memory passkey for one site. */
export class SoftAuthenticator {
  readonly id = base64url(randomBytes(16));
  readonly origin: string;
  readonly #private: KeyObject;
  readonly #cose: Buffer;
  #counter = 0;

  constructor(origin: string) {
    this.origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#private = privateKey;
    // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
    this.#cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
  }

  /** Responds to a request to create a passkey. */
  create(options: Options, twist: ResponseOverrides = {}) {
    const { challenge, rp } = options as Options & CreationOptions;
    const data = this.#data(twist.rpId ?? rp.id ?? '', twist, withCredential);
    // {"fmt": "none", "attStmt": {}, "authData": bytes}
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      Buffer.from([data.length >> 8, data.length & 0xff]),
      data,
    ]);
    return this.#respond('webauthn.create', challenge, twist, () => ({
      attestationObject: base64url(attestation),
      transports: ['internal'],
    }));
  }

  /** Responds to a request to sign in. */
  get(options: Options, twist: ResponseOverrides = {}) {
    const { challenge, rpId } = options as Options & RequestOptions;
    const data = this.#data(twist.rpId ?? rpId ?? '', twist, 0);
    return this.#respond('webauthn.get', challenge, twist, (client) => ({
      authenticatorData: base64url(data),
      signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), this.#private)),
    }));
  }

  #respond(type: string, challenge: string, twist: ResponseOverrides, more: (client: Buffer) => object) {
    const clientData = { type, challenge: twist.challenge ?? challenge, origin: twist.origin ?? this.origin };
    const client = Buffer.from(JSON.stringify(clientData));
    const response = { clientDataJSON: base64url(client), ...more(client) };
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #data(rpId: string, twist: ResponseOverrides, extra: number): Buffer {
    this.#counter = twist.counter ?? this.#counter + 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    const id = Buffer.from(this.id, 'base64url');
    const credential = extra === 0 ? [] : [Buffer.alloc(16), Buffer.from([0, id.length]), id, this.#cose];
    const flags = Buffer.from([(twist.flags ?? present | verified) | extra]);
    return Buffer.concat([sha256(rpId), flags, counter, ...credential]);
  }
}
