import { constants, createHash, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

type Plugin = 'mysql_native_password' | 'caching_sha2_password' | 'mysql_clear_password';

interface StubBehaviour {
  /** Authentication plugin. By default, queries are rejected after sign-in. */
  readonly plugin: Plugin;
  readonly password: string;
  /** True if the password hash is not cached, so that the server requests the password itself. */
  readonly isUncached?: boolean;
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Response to queries: a request for a client file, or no response. */
  readonly questions?: 'file' | 'silence';
  /** True if the server does not respond to sign-ins. */
  readonly isMute?: boolean;
}

const scramble = Buffer.from('abcdefghijklmnopqrst');
const rsa = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** Capabilities: long passwords, initial database, protocol 4.1, transactions, plugins, and client files. */
const abilities = 0x1 | 0x4 | 0x8 | 0x80 | 0x200 | 0x2000 | 0x8000 | 0x80000;
const tlsAbility = 0x800;

/** A file that exists on every machine. */
export const requestedFile = import.meta.filename;
const ok = Buffer.from([0, 0, 0, 2, 0, 0, 0]);
const fault = (code: number, state: string, text: string) =>
  Buffer.concat([Buffer.from([0xff, code & 0xff, code >> 8]), Buffer.from(`#${state}${text}`)]);
const denied = fault(1045, '28000', 'Access denied');
const notAllowed = fault(1142, '42000', 'Command denied');

const hash = (name: 'sha1' | 'sha256', ...parts: readonly Buffer[]) =>
  createHash(name).update(Buffer.concat(parts)).digest();
const xor = (one: Buffer, other: Buffer) => one.map((byte, index) => byte ^ (other[index % other.length] ?? 0));

const tokens: Readonly<Record<Plugin, (password: Buffer) => Buffer>> = {
  mysql_native_password: (password) => {
    const once = hash('sha1', password);
    return Buffer.from(xor(once, hash('sha1', scramble, hash('sha1', once))));
  },
  caching_sha2_password: (password) => {
    const once = hash('sha256', password);
    return Buffer.from(xor(once, hash('sha256', hash('sha256', once), scramble)));
  },
  mysql_clear_password: (password) => Buffer.concat([password, Buffer.of(0)]),
};

/** Minimal MySQL server for sign-ins, either well-behaved or hostile. */
export class MysqlStub implements AsyncDisposable {
  readonly #server: Server;
  readonly #behaviour: StubBehaviour;
  readonly #sockets = new Set<Socket>();
  /** Everything clients have sent, decrypted. */
  received = Buffer.alloc(0);
  signedIn = 0;

  private constructor(behaviour: StubBehaviour) {
    this.#behaviour = behaviour;
    this.#server = createServer((socket) => {
      this.#sockets.add(socket.on('error', () => undefined));
      void this.#serve(socket).catch(() => socket.destroy());
    });
  }

  static async start(behaviour: StubBehaviour): Promise<MysqlStub> {
    const stub = new MysqlStub(behaviour);
    stub.#server.listen(0, '127.0.0.1');
    await once(stub.#server, 'listening');
    return stub;
  }

  url(password: string, settings = ''): string {
    const { port } = this.#server.address() as AddressInfo;
    return `mysql://reader:${encodeURIComponent(password)}@127.0.0.1:${port}/one${settings}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  async #serve(socket: Socket): Promise<void> {
    const { plugin, tls, isMute, questions } = this.#behaviour;
    let wire = new Wire(socket, (data) => this.#receive(data));
    wire.say(greeting(plugin, tls ? abilities | tlsAbility : abilities));
    let response = await wire.packet();
    if ((response.readUInt32LE(0) & tlsAbility) !== 0 && tls) {
      const sequence = wire.leave();
      const secure = new TLSSocket(socket, { isServer: true, ...tls });
      secure.on('error', () => undefined);
      wire = new Wire(secure, (data) => this.#receive(data), sequence);
      response = await wire.packet();
    }
    if (isMute) return;
    if (!(await this.#isLetIn(wire, response))) return wire.say(denied);
    this.signedIn += 1;
    wire.say(ok);
    for (;;) {
      await wire.packet();
      if (questions === 'silence') continue;
      if (questions === 'file') {
        wire.say(Buffer.concat([Buffer.of(0xfb), Buffer.from(requestedFile)]));
        await wire.packet();
        wire.say(ok);
      } else wire.say(notAllowed);
    }
  }

  async #isLetIn(wire: Wire, response: Buffer): Promise<boolean> {
    const { plugin, isUncached, tls } = this.#behaviour;
    const password = Buffer.from(this.#behaviour.password);
    if (plugin === 'mysql_clear_password') {
      wire.say(Buffer.concat([Buffer.of(0xfe), Buffer.from(`${plugin}\0`), scramble, Buffer.of(0)]));
      return (await wire.packet()).equals(tokens[plugin](password));
    }
    if (!tokenIn(response).equals(tokens[plugin](password))) return false;
    if (plugin === 'mysql_native_password') return true;
    wire.say(Buffer.of(1, isUncached ? 4 : 3));
    if (!isUncached) return true;
    const whole = Buffer.concat([password, Buffer.of(0)]);
    const packet = await wire.packet();
    if (tls) return packet.equals(whole);
    wire.say(Buffer.concat([Buffer.of(1), Buffer.from(rsa.publicKey)]));
    const padding = constants.RSA_PKCS1_OAEP_PADDING;
    const opened = privateDecrypt({ key: rsa.privateKey, padding, oaepHash: 'sha1' }, await wire.packet());
    return Buffer.from(xor(opened, scramble)).equals(whole);
  }

  #receive(data: Buffer): void {
    this.received = Buffer.concat([this.received, data]);
  }
}

/** Packets: length, sequence number and payload. */
class Wire {
  readonly #socket: Socket;
  readonly #onData: (data: Buffer) => void;
  #unread = Buffer.alloc(0);
  #sequence: number;
  #arrived = Promise.withResolvers<void>();

  constructor(socket: Socket, onData: (data: Buffer) => void, sequence = 0) {
    this.#socket = socket;
    this.#sequence = sequence;
    this.#onData = (data) => {
      onData(data);
      this.#unread = Buffer.concat([this.#unread, data]);
      this.#arrived.resolve();
      this.#arrived = Promise.withResolvers();
    };
    socket.on('data', this.#onData);
  }

  say(payload: Buffer): void {
    const head = Buffer.alloc(4);
    head.writeUIntLE(payload.length, 0, 3);
    head[3] = this.#sequence;
    this.#sequence += 1;
    this.#socket.write(Buffer.concat([head, payload]));
  }

  async packet(): Promise<Buffer> {
    for (;;) {
      const length = this.#unread.length < 4 ? Number.NaN : this.#unread.readUIntLE(0, 3);
      if (this.#unread.length >= 4 + length) {
        this.#sequence = (this.#unread[3] ?? 0) + 1;
        const payload = this.#unread.subarray(4, 4 + length);
        this.#unread = this.#unread.subarray(4 + length);
        return payload;
      }
      await this.#arrived.promise;
    }
  }

  /** Detaches from the socket, putting back unread bytes, and returns the next sequence number. */
  leave(): number {
    this.#socket.off('data', this.#onData).pause();
    if (this.#unread.length > 0) this.#socket.unshift(this.#unread);
    return this.#sequence;
  }
}

function greeting(plugin: Plugin, flags: number): Buffer {
  const numbers = Buffer.alloc(2 + 1 + 2 + 2 + 1 + 10);
  numbers.writeUInt16LE(flags & 0xffff, 0);
  numbers[2] = 45;
  numbers.writeUInt16LE(2, 3);
  numbers.writeUInt16LE(flags >>> 16, 5);
  numbers[7] = scramble.length + 1;
  const [first, rest] = [scramble.subarray(0, 8), scramble.subarray(8)];
  const head = Buffer.concat([Buffer.of(10), Buffer.from('8.4.0\0'), Buffer.of(1, 0, 0, 0), first, Buffer.of(0)]);
  return Buffer.concat([head, numbers, rest, Buffer.of(0), Buffer.from(`${plugin}\0`)]);
}

/** The auth token follows the flags and the user name. */
function tokenIn(response: Buffer): Buffer {
  const start = response.indexOf(0, 32) + 1;
  const length = response[start] ?? 0;
  return response.subarray(start + 1, start + 1 + length);
}
