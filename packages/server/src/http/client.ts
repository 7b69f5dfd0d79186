import { BlockList } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Language } from '../platform/errors/api-error.ts';
import type { Client } from './handlers.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;

const isLoopbackAddress = (address: string) => loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4');

export function requestClient(request: FastifyRequest): Client {
  // An undeclared proxy on this machine also connects from loopback; its headers reveal it.
  const isForwarded = forwardingHeaders.some((name) => request.headers[name] !== undefined);
  return {
    address: request.ip,
    isLoopback: isLoopbackAddress(request.ip) && !isForwarded,
    userAgent: request.headers['user-agent'] ?? '',
    language: requestLanguage(request),
  };
}

export const requestLanguage = (request: FastifyRequest): Language =>
  /^\s*zh\b/i.test(request.headers['accept-language'] ?? '') ? 'zh' : 'en';
