// Health check of the gateway in this container for HEALTHCHECK, because the image has no shell and no curl.
import { request } from 'node:http';

const address = { host: '127.0.0.1', port: process.env.PORT || '3000', path: '/healthz', timeout: 4000 };

const requested = request(address, (response) => process.exit(response.statusCode === 200 ? 0 : 1));
requested.on('timeout', () => process.exit(1));
requested.on('error', () => process.exit(1));
requested.end();
