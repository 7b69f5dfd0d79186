import type { GatewayNode } from '@headgate/contract';

/** One variable of the environment, as the nodes have it. */
export interface NodeSetting {
  readonly name: string;
  /** What it is on each node, in the order of the nodes; one where all agree. */
  readonly values: readonly string[];
  readonly differs: boolean;
}

/** The variables of all nodes, by name. */
export function settingsOf(nodes: readonly GatewayNode[]): readonly NodeSetting[] {
  const names = [...new Set(nodes.flatMap(({ settings }) => Object.keys(settings)))].sort();
  return names.map((name) => {
    const all = nodes.map(({ settings }) => settings[name] ?? '');
    const values = [...new Set(all)];
    return { name, values: values.length > 1 ? all : values, differs: values.length > 1 };
  });
}
