import {
  alertKind,
  alertKindNames,
  alertLanguages,
  alertStates,
  callbackVerdicts,
  channelStatuses,
  channelTypes,
  type DestinationField,
  destinationKinds,
  logEndCauses,
  logEvents,
  logReasons,
  logTypes,
  modelAvailabilities,
  modelCapabilities,
  optionKeys,
  optionRow,
  optionSections,
  optionTabs,
  orderStates,
  payoutStates,
  redemptionStatuses,
  roles,
  servingStates,
  shareStates,
  tokenStatuses,
  unknownRole,
  userPlanStates,
  userStatuses,
} from '@headgate/contract';
import { expect, test } from 'vitest';
import { zh as firstWords } from './zh.ts';
import { zhDeferred } from './zh-deferred.ts';

const zh = { ...firstWords, ...zhDeferred };

const labelsOfTables = [
  ...alertKindNames.flatMap((kind) => {
    const { label, sentence, threshold } = alertKind(kind);
    return [label, sentence, threshold?.label ?? []].flat();
  }),
  ...Object.values(destinationKinds).flatMap(({ label, help, fields }) => [
    label,
    help,
    ...Object.values<DestinationField>(fields).flatMap((field) => [field.label, field.help ?? []].flat()),
  ]),
  ...[orderStates, payoutStates, shareStates, userPlanStates, callbackVerdicts].flatMap((table) =>
    Object.values(table).map(({ label }) => label),
  ),
  ...Object.values(alertLanguages),
  ...Object.values(alertStates),
  ...optionKeys.flatMap((key) => [optionRow(key).label, optionRow(key).help ?? []].flat()),
  ...Object.values(optionSections).map(({ label }) => label),
  ...Object.values(optionTabs),
  ...Object.values(roles).map(({ label }) => label),
  unknownRole.label,
  ...[userStatuses, tokenStatuses, channelStatuses, redemptionStatuses, logTypes, logEndCauses, logReasons].flatMap(
    (table) => Object.values(table).map(({ label }) => label),
  ),
  ...[modelAvailabilities, modelCapabilities, servingStates].flatMap((table) =>
    Object.values(table).map(({ label }) => label),
  ),
  ...channelTypes.flatMap((type) =>
    [type.name, 'note' in type ? type.note : [], 'fields' in type ? type.fields.map(({ label }) => label) : []].flat(),
  ),
];

test('has a Chinese sentence for every log event', () => {
  expect(Object.values(logEvents).filter((sentence) => !Object.hasOwn(zh, sentence))).toEqual([]);
});

test('has a Chinese text for every label of the contract', () => {
  expect([...new Set(labelsOfTables)].filter((label) => !Object.hasOwn(zh, label))).toEqual([]);
});

test('keeps the placeholders of each text', () => {
  const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  const wrong = Object.entries(zh).filter(([en, text]) => placeholders(en).join() !== placeholders(text).join());
  expect(wrong).toEqual([]);
});
