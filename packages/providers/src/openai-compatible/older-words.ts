import type { JsonObject } from '../provider.ts';
import { oldLimitName } from './output-limit.ts';
import { systemRole } from './system-role.ts';

/** For vendors that stayed with OpenAI's older words. */
export const olderWords = (body: JsonObject): JsonObject => ({ ...oldLimitName(body), ...systemRole(body) });
