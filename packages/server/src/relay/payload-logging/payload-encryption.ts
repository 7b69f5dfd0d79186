import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import { payloadKilobytes, type StoredPayload, type StoredPayloads } from '@headgate/contract';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { CapturedPayload } from './payload-capture.ts';
import type { PayloadRow } from './payload-repository.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

const longest = payloadKilobytes.max * 1024;

type Side = 'request' | 'answer';
type Facts = Omit<PayloadRow, 'request_sealed' | 'answer_sealed' | 'headers_sealed' | 'stored_bytes'>;

/**
 * All columns are authenticated, so that a payload can be decrypted only in its own row, for its own user and with
 * its own expiry.
 */
const associatedData = (side: Side | 'headers', facts: Facts): string =>
  JSON.stringify([
    ...['kept body', side],
    ...[facts.request_id, facts.user_id, facts.token_id, facts.created_time, facts.expires_time],
    ...[facts.status, facts.request_bytes, facts.answer_bytes],
  ]);

/** Compresses on another thread, then encrypts. */
export async function encryptPayload(box: SecretBox, bodies: CapturedPayload): Promise<PayloadRow> {
  const facts: Facts = {
    request_id: bodies.requestId,
    user_id: bodies.userId,
    token_id: bodies.tokenId,
    created_time: bodies.createdTime,
    expires_time: bodies.expiresTime,
    status: bodies.status,
    request_bytes: bodies.request.length,
    answer_bytes: bodies.response.length,
  };
  const seal = async (side: Side | 'headers', plain: Buffer) =>
    box.sealBytes(await deflate(plain, { level: constants.Z_BEST_SPEED }), associatedData(side, facts));
  const [request_sealed, answer_sealed, headers_sealed] = await Promise.all([
    seal('request', bodies.request.bytes),
    seal('answer', bodies.response.bytes),
    seal('headers', Buffer.from(JSON.stringify(bodies.headers))),
  ]);
  const stored_bytes = request_sealed.length + answer_sealed.length + headers_sealed.length;
  return { ...facts, stored_bytes, request_sealed, answer_sealed, headers_sealed };
}

/** Throws if the row was changed. */
export async function decryptPayload(box: SecretBox, row: PayloadRow): Promise<StoredPayloads> {
  const { request_id, created_time, expires_time, status } = row;
  const open = (side: Side | 'headers', sealed: Uint8Array) =>
    inflate(box.openBytes(sealed, associatedData(side, row)), { maxOutputLength: longest });
  const request = presentBody(await open('request', row.request_sealed), row.request_bytes);
  const answer = presentBody(await open('answer', row.answer_sealed), row.answer_bytes);
  const headers = row.headers_sealed ? readHeaders(await open('headers', row.headers_sealed)) : {};
  return { request_id, created_time, expires_time, status, headers, request, answer };
}

function readHeaders(plain: Buffer): StoredPayloads['headers'] {
  // trusted JSON: encrypted by this gateway
  return JSON.parse(plain.toString());
}

function presentBody(bytes: Buffer, length: number): StoredPayload {
  const is_cut = bytes.length < length;
  const text = textOf(bytes, is_cut);
  return { text: text ?? bytes.toString('base64'), is_text: text !== undefined, bytes: length, is_cut };
}

/** Undefined for binary data. In truncated text the last character may be incomplete. */
function textOf(bytes: Buffer, isCut: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
}
