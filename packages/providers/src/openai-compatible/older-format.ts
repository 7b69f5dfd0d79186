import type { JsonObject } from '../provider.ts';
import { oldLimitName } from './output-limit.ts';
import { systemRole } from './system-role.ts';

/** The request in OpenAI's older format, for vendors that still use it. */
export const olderFormat = (body: JsonObject): JsonObject => ({ ...oldLimitName(body), ...systemRole(body) });
