import type { ResourceTexts, SchemaTexts } from './types.ts';

export const statusResources: ResourceTexts<'status' | 'publicStatus' | 'incident'> = {
  status: {
    tag: 'Status',
    operations: {
      status: {
        summary: 'Get gateway status',
        description: 'Returns the name, appearance and enabled login methods of the gateway.',
      },
      notice: {
        summary: 'Get the notice',
        description: 'Returns the notice that the console shows once to every visitor.',
        data: 'Markdown or HTML of the notice. Empty: no notice.',
        dataExample: 'Maintenance on Sunday, 02:00–03:00 UTC.',
      },
      about: {
        summary: 'Get the about page',
        description: 'Returns the content of the about page.',
        data: 'Markdown, HTML or the URL of a page to embed. Empty: the built-in page.',
        dataExample: '# About this gateway',
      },
      homePageContent: {
        summary: 'Get the home page',
        description: 'Returns the content of the home page for visitors.',
        data: 'Markdown, HTML or the URL of a page to embed. Empty: the built-in page.',
        dataExample: '# Welcome',
      },
    },
  },
  publicStatus: {
    tag: 'Status',
    operations: {
      read: {
        summary: 'Get model availability',
        description:
          'Returns availability and latency of every model over 24 hours and 90 days, and incidents. Fails unless the public status page is enabled.',
      },
    },
  },
  incident: {
    tag: 'Status',
    params: { id: 'ID of the incident.' },
    operations: {
      list: {
        summary: 'List incidents',
        description: 'Returns one page of incidents, latest first.',
        data: 'The incidents of the page.',
      },
      get: { summary: 'Get an incident', description: 'Returns one incident.' },
      add: {
        summary: 'Post an incident',
        description: 'Posts an incident to the public status page. The gateway stores at most 1000 incidents.',
      },
      update: {
        summary: 'Replace an incident',
        description: 'Replaces the fields of an incident. Its updates are kept.',
      },
      addUpdate: {
        summary: 'Post an update to an incident',
        description: 'Adds a dated text to an incident, at most 50, and closes it on request.',
      },
      remove: { summary: 'Delete an incident', description: 'Deletes an incident and its updates.' },
    },
  },
};

export const statusSchemas: SchemaTexts = {
  GatewayStatus: {
    description: 'Public settings of the gateway.',
    fields: {
      version: 'Version of the gateway.',
      start_time: 'Start time of the process, Unix seconds.',
      extensions: 'True: the server has operations beyond those of One API, such as bulk changes.',
      system_name: 'Name of the gateway, shown in titles.',
      logo: 'URL of the logo. Empty: the built-in logo.',
      footer_html: 'HTML of the page footer. Empty: the built-in footer.',
      theme: 'Default color scheme of the console. `default`: follow the browser.',
      preset: 'Which pages and settings the console hides. `everything`: none.',
      server_address: 'Public base URL of the gateway. Empty: not configured.',
      top_up_link: 'URL where users buy quota. Empty: none.',
      chat_link: 'URL of a chat application to embed. Empty: none.',
      status_page: 'True: the public status page is enabled.',
      model_catalog: 'True: visitors can see the model catalog.',
      quota_per_unit: 'Points per dollar.',
      display_in_currency: 'True: the console shows amounts in dollars instead of points.',
      password_max_length: 'Maximum length of new passwords, in characters.',
      email_verification: 'True: registration requires a verified email address.',
      github_oauth: 'True: login with GitHub is enabled.',
      github_client_id: 'OAuth client ID for GitHub. Empty: not configured.',
      lark_client_id: 'OAuth client ID for Lark. Empty: login with Lark is not configured.',
      passkey_login: 'True: login with passkeys is available.',
      oidc: 'True: login with OpenID Connect is enabled.',
      oidc_client_id: 'OAuth client ID for OpenID Connect. Empty: not configured.',
      wechat_login: 'True: login with WeChat is enabled.',
      wechat_qrcode: 'URL of the QR code of the WeChat account. Empty: none.',
      organization_creation: 'True: users can create organizations.',
      sso_login: 'True: an organization has a login provider.',
      turnstile_check: 'True: registration and login use the Cloudflare Turnstile bot check.',
      turnstile_site_key: 'Site key for Cloudflare Turnstile. Empty: not configured.',
    },
    example: {
      version: '1.0.0',
      extensions: true,
      system_name: 'Headgate',
      logo: '',
      footer_html: '',
      server_address: 'https://gateway.example',
      top_up_link: '',
      chat_link: '',
      quota_per_unit: 500_000,
      password_max_length: 20,
      github_client_id: '',
      lark_client_id: '',
      oidc_client_id: '',
      wechat_qrcode: '',
      turnstile_site_key: '',
    },
  },
  PublicStatus: {
    description: 'Availability of all models. Contains no channels, users or request counts.',
    fields: {
      time: 'Time of the calculation, Unix seconds.',
      first_hour: 'First second of the first entry of `hours`, Unix seconds.',
      first_day: 'First second of the first entry of `days`, Unix seconds.',
      models: 'The models, sorted by name.',
      incidents: 'Open incidents and those that ended in the last 90 days, latest first, at most 50.',
    },
    example: { first_hour: 1_767_229_200, first_day: 1_759_536_000 },
  },
  Incident: {
    description: 'An incident on the status page.',
    fields: {
      title: 'Title, one line of plain text.',
      text: 'Description in plain text.',
      severity: 'Severity: `major` (outage), `minor` (degraded service) or `maintenance`.',
      models: 'Affected models. Empty: all models.',
      start_time: 'Start, Unix seconds. A start in the future marks the incident as planned.',
      end_time: 'End, Unix seconds. 0: open.',
      updates: 'Updates, oldest first.',
    },
    example: {
      title: 'Elevated error rates',
      text: 'Requests to gpt-4o fail more often than usual.',
      models: ['gpt-4o'],
      start_time: 1_767_312_000,
      end_time: 0,
    },
  },
  IncidentUpdate: {
    description: 'A dated update of an incident.',
    fields: { time: 'Time of the update, Unix seconds.', text: 'Update in plain text.' },
    example: { time: 1_767_313_800, text: 'A fix is being rolled out.' },
  },
  IncidentRequest: { description: 'The editable fields of an incident.', like: 'Incident' },
  IncidentAddUpdateRequest: {
    description: 'An update of an incident.',
    fields: {
      text: 'Update in plain text.',
      close: 'True: the incident also ends now.',
    },
    example: { text: 'The fix works.', close: true },
  },
  ModelStatus: {
    description: 'Availability of one model.',
    fields: {
      day: 'Figures of the last 24 hours.',
      quarter: 'Figures of the last 90 days.',
      hours: 'Availability per hour from 0 to 1, oldest first; the last hour is still running. Null: no requests.',
      days: 'Availability per UTC day from 0 to 1, oldest first; the last day is still running. Null: no requests.',
    },
    example: { hours: [1, 0.998, null], days: [0.999, 1, 1] },
  },
  ModelAvailability: {
    description: 'Availability and latency over a period.',
    fields: {
      availability: 'Share of successful requests, from 0 to 1. Null: no requests.',
      latency: 'Median duration of a request, in milliseconds. Null: no data.',
      first_byte: 'Median time to the first byte of streamed responses, in milliseconds. Null: no data.',
    },
    example: { availability: 0.998, latency: 1800, first_byte: 420 },
  },
};
