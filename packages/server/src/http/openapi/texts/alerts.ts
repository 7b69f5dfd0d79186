import { describeDestinationField, destinationFields, destinationKindNames } from '@headgate/contract';
import type { ResourceTexts, SchemaTexts } from './types.ts';

const destinationSettingsText = destinationKindNames
  .map((kind) => {
    const fields = Object.entries(destinationFields(kind)).map(
      ([name, field]) => `\`${name}\`: ${describeDestinationField(field)}`,
    );
    return `For \`${kind}\`: ${fields.join(' ')}`;
  })
  .join(' ');

export const alertResources: ResourceTexts<'alert'> = {
  alert: {
    tag: 'Alerts',
    params: { id: 'ID of the destination, rule or notification.' },
    query: {
      state: 'Only notifications in this state. Omitted: every state.',
      receiver: 'Only notifications to the destination with this ID.',
    },
    operations: {
      receivers: {
        summary: 'List alert destinations',
        description: 'Returns all alert destinations, without their secrets.',
        data: 'The destinations.',
      },
      receiver: {
        summary: 'Get an alert destination',
        description: 'Returns one alert destination, without its secrets.',
      },
      addReceiver: {
        summary: 'Create an alert destination',
        description: 'Creates an alert destination, at most 100. Secrets are encrypted and never returned.',
      },
      updateReceiver: {
        summary: 'Update an alert destination',
        description:
          'Changes an alert destination. Omitted secrets are kept, unless the address changes: then they must be sent again.',
      },
      removeReceiver: {
        summary: 'Delete an alert destination',
        description: 'Deletes an alert destination. Notifications that wait for it are not sent.',
      },
      testReceiver: {
        summary: 'Test an alert destination',
        description: 'Sends a test notification and returns the response of the destination.',
      },
      rules: { summary: 'List alert rules', description: 'Returns all alert rules.', data: 'The rules.' },
      rule: { summary: 'Get an alert rule', description: 'Returns one alert rule.' },
      addRule: { summary: 'Create an alert rule', description: 'Creates an alert rule, at most 200.' },
      updateRule: {
        summary: 'Replace an alert rule',
        description: 'Replaces an alert rule. Omitted fields get their default.',
      },
      removeRule: { summary: 'Delete an alert rule', description: 'Deletes an alert rule.' },
      history: {
        summary: 'List notifications',
        description: 'Returns one page of the notifications of the last 30 days, latest first.',
        data: 'The notifications of the page.',
      },
      sendAgain: {
        summary: 'Resend a notification',
        description: 'Sends a failed notification once more.',
      },
    },
  },
};

const kindOfAlert = 'What the rule watches, such as `failure_rate` or `channel_disabled`.';
const languageText = 'Language of the notifications.';

export const alertSchemas: SchemaTexts = {
  AlertDestination: {
    description: 'Where notifications are sent.',
    fields: {
      kind: 'Kind of the destination.',
      name: 'Name of the destination, at most 60 characters.',
      language: languageText,
      settings: 'Settings that are not secret, by name.',
      secrets: 'Names of the secrets that are set.',
      place: 'Host that notifications are sent to. Empty for email.',
      last_time: 'Time of the last notification, sent or failed, Unix seconds. 0: none.',
      last_error: 'Why the last notification failed. Empty: it was sent.',
    },
    example: {
      kind: 'slack',
      name: 'On-call',
      language: 'en',
      settings: {},
      secrets: ['address'],
      place: 'hooks.slack.com',
      last_time: 1_767_312_000,
    },
  },
  AlertAddReceiverRequest: {
    description: 'A new alert destination.',
    like: 'AlertDestination',
    fields: { settings: `Settings and secrets by name. Omitted secrets are unchanged. ${destinationSettingsText}` },
    example: { settings: { address: 'https://hooks.slack.com/services/T000/B000/XXXX' } },
  },
  AlertUpdateReceiverRequest: {
    description: 'A change of an alert destination.',
    like: 'AlertAddReceiverRequest',
  },
  AlertTestReceiverData: {
    description: 'Result of a test notification.',
    fields: {
      ok: 'True: the destination accepted the notification.',
      answer: 'Response of the destination, shortened.',
      ms: 'Duration of the test, in milliseconds.',
    },
    example: { answer: '200 ok' },
  },
  AlertRule: {
    description: 'When notifications are sent, and to which destinations.',
    fields: {
      kind: kindOfAlert,
      name: 'Name of the rule, at most 60 characters. Empty: a description of the rule is shown.',
      enabled: 'False: the rule sends nothing.',
      threshold:
        'Threshold in the unit of the kind: percent, seconds, points or dollars. 0 for kinds without a threshold.',
      window_minutes: 'Minutes of the measured window, for failure rate and latency.',
      least_requests: 'Minimum number of requests in the window. With fewer, the rule does not fire.',
      per: 'Whether each channel is measured separately, or all requests of the gateway together.',
      channels: 'IDs of the channels the rule applies to. Empty: all channels.',
      tag: 'Tag of the channels the rule applies to. Empty: any tag.',
      group: 'Group of the users the rule applies to. Empty: any group.',
      receivers: 'IDs of the destinations. Empty in a response: all of them were deleted.',
      quiet_from: 'Start of quiet hours as `HH:MM`. Notifications wait until their end. Empty: none.',
      quiet_to: 'End of quiet hours as `HH:MM`. Empty: none.',
      time_zone: 'IANA time zone of the quiet hours.',
      repeat_minutes: 'Minutes before the same alert is sent again. 0: it is always sent.',
    },
    example: {
      kind: 'failure_rate',
      name: '',
      threshold: 20,
      window_minutes: 10,
      least_requests: 20,
      per: 'channel',
      channels: [],
      tag: '',
      group: '',
      receivers: [2],
      quiet_from: '22:00',
      quiet_to: '07:00',
      repeat_minutes: 60,
    },
  },
  AlertRuleRequest: {
    description: 'Fields of an alert rule.',
    like: 'AlertRule',
    fields: { receivers: 'IDs of the destinations, 1 to 20.' },
  },
  AlertNotification: {
    description: 'A notification that was sent, waits or failed.',
    fields: {
      kind: 'Kind of the rule.',
      receiver_id: 'ID of the destination.',
      receiver_kind: 'Kind of the destination.',
      receiver_name: 'Name of the destination at that time.',
      title: 'Title of the notification.',
      lines: 'Text of the notification, line by line.',
      state: 'State of the notification.',
      tries: 'Number of attempts.',
      next_time: 'Time of the next attempt, Unix seconds. Meaningful only while it waits.',
      sent_time: 'Time of delivery, Unix seconds. 0: not delivered.',
      last_error: 'Why the last attempt failed. Empty: it did not fail.',
      page: 'Path of the console page about the subject. Empty: none.',
    },
    example: {
      kind: 'failure_rate',
      receiver_id: 2,
      receiver_kind: 'slack',
      receiver_name: 'On-call',
      title: 'Failure rate of channel OpenAI',
      lines: ['25 % of 40 requests failed within 10 minutes.'],
      state: 'sent',
      next_time: 0,
      sent_time: 1_767_312_000,
      page: '/channel/view/3',
    },
  },
};
