import { amazonWires } from './amazon.ts';
import { anthropicWires } from './anthropic.ts';
import { chineseCloudWires } from './chinese-clouds.ts';
import { googleWires } from './google.ts';
import { otherWires } from './other-wires.ts';
import { sparkSocket } from './spark.ts';
import { vendorWires } from './vendors.ts';
import type { Wire } from './wire.ts';

/** Wires of all channel types; a type may have several. */
export const wires: readonly Wire[] = [
  ...vendorWires,
  ...anthropicWires,
  ...googleWires,
  ...amazonWires,
  ...chineseCloudWires,
  sparkSocket,
  ...otherWires,
];
