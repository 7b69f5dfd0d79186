import type { JsonObject } from '../provider.ts';
import { withOldLimitName } from './output-limit.ts';
import { withSystemRole } from './system-role.ts';

/** The request in OpenAI's older format, for vendors that still use it. */
export const toOlderFormat = (body: JsonObject): JsonObject => ({ ...withOldLimitName(body), ...withSystemRole(body) });
