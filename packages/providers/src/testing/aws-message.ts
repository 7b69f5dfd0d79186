import { crc32 } from 'node:zlib';

/** Bytes of one message of Amazon's event stream. */
function awsMessage(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => textHeader(name, value)));
  const body = Buffer.from(payload);
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(16 + head.length + body.length, 0);
  prelude.writeUInt32BE(head.length, 4);
  const start = Buffer.concat([prelude, checksum(prelude), head, body]);
  return Buffer.concat([start, checksum(start)]);
}

/** An event with this name. */
export const awsEvent = (name: string, payload: string) =>
  awsMessage({ ':event-type': name, ':content-type': 'application/json', ':message-type': 'event' }, payload);

/** A model's JSON in Amazon's envelope. */
export const awsChunk = (inner: unknown) =>
  awsEvent('chunk', JSON.stringify({ bytes: Buffer.from(JSON.stringify(inner)).toString('base64') }));

export const awsException = (name: string, message: string) =>
  awsMessage(
    { ':exception-type': name, ':content-type': 'application/json', ':message-type': 'exception' },
    JSON.stringify({ message }),
  );

function textHeader(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length, Buffer.from(value)]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}
