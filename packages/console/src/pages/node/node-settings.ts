import type { GatewayNode } from '@headgate/contract';

/** An environment variable across the nodes. */
export interface NodeSetting {
  readonly name: string;
  /** Values in the order of the nodes; a single value if all agree. */
  readonly values: readonly string[];
  readonly differs: boolean;
}

/** Variables of all nodes, by name. */
export function settingsOf(nodes: readonly GatewayNode[]): readonly NodeSetting[] {
  const names = [...new Set(nodes.flatMap(({ settings }) => Object.keys(settings)))].sort();
  return names.map((name) => {
    const all = nodes.map(({ settings }) => settings[name] ?? '');
    const values = [...new Set(all)];
    return { name, values: values.length > 1 ? all : values, differs: values.length > 1 };
  });
}
