import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import { maxStoredBytes } from '@headgate/relay';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { StoredResponseRow } from './stored-response-repository.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

type Side = 'input' | 'answer';
type Facts = Pick<StoredResponseRow, 'user_id' | 'response_id' | 'created_time' | 'input_bytes' | 'answer_bytes'>;

export interface PlainResponse extends Pick<Facts, 'user_id' | 'response_id' | 'created_time'> {
  readonly input: Buffer;
  readonly answer: Buffer;
}

/** All columns are authenticated, so that the data can be decrypted only in its own row and for its own user. */
const associatedData = (side: Side, { user_id, response_id, created_time, input_bytes, answer_bytes }: Facts): string =>
  JSON.stringify(['stored response', side, user_id, response_id, created_time, input_bytes, answer_bytes]);

/** Compresses on another thread, then encrypts. */
export async function encryptResponse(box: SecretBox, response: PlainResponse): Promise<StoredResponseRow> {
  const { input, answer, ...named } = response;
  const facts = { ...named, input_bytes: input.length, answer_bytes: answer.length };
  const seal = async (side: Side) =>
    box.sealBytes(await deflate(response[side], { level: constants.Z_BEST_SPEED }), associatedData(side, facts));
  const [input_sealed, answer_sealed] = await Promise.all([seal('input'), seal('answer')]);
  return { ...facts, stored_bytes: input_sealed.length + answer_sealed.length, input_sealed, answer_sealed };
}

/** Throws if a row was changed or encrypted with another key. */
export async function decryptPart<S extends Side>(
  box: SecretBox,
  side: S,
  row: Facts & Pick<StoredResponseRow, `${S}_sealed`>,
): Promise<string> {
  const sealed: Uint8Array = row[`${side}_sealed`];
  const bytes = await inflate(box.openBytes(sealed, associatedData(side, row)), { maxOutputLength: maxStoredBytes });
  return bytes.toString('utf8');
}
