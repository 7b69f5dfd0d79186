import { exportMediaTypes, totalHeader } from '@headgate/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ExportFile } from './export-file.ts';

/** A file is sent as fast as it is read and no faster; one that breaks off breaks the connection off. */
export function sendFile({ method }: FastifyRequest, reply: FastifyReply, file: ExportFile): FastifyReply {
  reply
    .type(exportMediaTypes[file.format])
    .header('content-disposition', `attachment; filename="${file.name}.${file.format}"`)
    .header(totalHeader, file.total);
  if (method !== 'HEAD') return reply.send(file.content);
  file.content.destroy();
  return reply.send();
}
