import type { EndpointTable } from './endpoint.ts';
import { modelApi } from './model.ts';
import { sessionApi } from './session.ts';
import { statusApi } from './status.ts';
import { userApi } from './user.ts';

/** Every endpoint of the API, by resource. What is not here is not served. */
export const apiTables = {
  status: statusApi,
  session: sessionApi,
  user: userApi,
  model: modelApi,
} as const satisfies Record<string, EndpointTable>;
