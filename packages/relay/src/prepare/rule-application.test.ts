import { costNeutralFields } from '@headgate/contract';
import { dialects, type JsonObject } from '@headgate/dialects';
import { expect, it } from 'vitest';
import { endpointKinds } from '../request/endpoint-kinds.ts';

it.each(Object.values(dialects))(
  'the outline of a $name request does not depend on fields that rules may change freely',
  (dialect) => {
    const read = new Set<string>();
    const body = new Proxy<JsonObject>(
      { model: 'm', messages: [], input: [], contents: [] },
      {
        get: (target, name) => {
          read.add(String(name));
          return target[String(name)];
        },
      },
    );
    dialect.readOutline(body, { model: 'm' });
    endpointKinds.completions.dialect.readOutline(body, {});
    expect(read).toContain('model');
    expect([...costNeutralFields].filter((name) => read.has(name))).toEqual([]);
  },
);
