import type { ServiceCase } from './service-case';

const alertmanager = (about: string, alerts: readonly object[], address = {}): ServiceCase => ({
  service: 'alertmanager',
  about,
  address,
  payload: { version: '4', alerts },
});

const alert = (status: string, instance: string, alertname: string) => ({
  status,
  labels: { alertname, instance },
  annotations: { summary: `${alertname} on ${instance}` },
  generatorURL: 'https://prometheus.example.com/graph?g0.expr=up&g0.tab=1',
});

const incident = {
  incident_number: 48,
  html_url: 'https://acme.pagerduty.com/incidents/P1',
  service: { name: 'Oven', html_url: 'https://acme.pagerduty.com/services/S1' },
  assigned_to_user: { name: 'Ada', html_url: 'https://acme.pagerduty.com/users/U1' },
  trigger_summary_data: { subject: 'Too hot' },
};

const event = {
  title: "TypeError: 'soup' is None",
  level: 'error',
  datetime: '2026-05-04T10:20:30.123456Z',
  platform: 'python',
  web_url: 'https://sentry.io/acme/issues/1/events/2/',
  exception: {
    values: [
      {
        stacktrace: {
          frames: [
            {
              filename: 'kitchen/soup.py',
              pre_context: ['def cook():'],
              context_line: '    heat(None)',
              post_context: [''],
              in_app: true,
            },
          ],
        },
      },
    ],
  },
};

/** Payloads of monitoring services. */
export const ALERT_CASES: readonly ServiceCase[] = [
  alertmanager('one alert', [alert('firing', 'web1', 'Down')]),
  alertmanager('alerts of several instances', [
    alert('firing', 'web1', 'Down'),
    alert('firing', 'web1', 'Slow'),
    alert('resolved', 'web2', 'Down'),
  ]),
  alertmanager('other labels', [alert('firing', 'web1', 'Down')], { name: 'alertname', desc: 'summary' }),
  {
    service: 'grafana',
    about: 'alerts of today',
    payload: {
      status: 'firing',
      alerts: [
        {
          status: 'firing',
          labels: { alertname: 'Soup', zone: 'kitchen' },
          annotations: { summary: 'It is cold' },
          startsAt: '2026-05-04T10:20:30Z',
          endsAt: '0001-01-01T00:00:00Z',
          values: { B: 22 },
          generatorURL: 'https://grafana.example.com/alert',
          silenceURL: 'https://grafana.example.com/silence',
        },
        {
          status: 'resolved',
          labels: {},
          annotations: {},
          fingerprint: 'f00',
          startsAt: '2026-05-04T10:20:30Z',
          endsAt: '2026-05-04T11:20:30Z',
          valueString: '[ var=B ]',
        },
      ],
    },
  },
  {
    service: 'grafana',
    about: 'an alert of release 7',
    payload: {
      title: '[Alerting] Soup',
      state: 'alerting',
      ruleName: 'Soup',
      ruleUrl: 'https://grafana.example.com/d/1',
      message: 'It is cold',
      evalMatches: [{ metric: 'High', value: 100 }],
    },
  },
  {
    service: 'pagerduty',
    about: 'version 1',
    payload: { messages: [{ type: 'incident.trigger', data: { incident } }] },
  },
  {
    service: 'pagerduty',
    about: 'version 2',
    payload: {
      messages: [
        {
          event: 'incident.resolve',
          incident: {
            ...incident,
            assignments: [{ assignee: { summary: 'Ada' } }],
            last_status_change_by: { summary: 'Ben', html_url: 'https://acme.pagerduty.com/users/U2' },
          },
        },
      ],
    },
  },
  {
    service: 'pagerduty',
    about: 'version 3',
    payload: {
      event: {
        event_type: 'incident.reassigned',
        agent: { summary: 'Ben' },
        data: {
          number: 48,
          title: 'Too hot',
          html_url: incident.html_url,
          service: { summary: 'Oven' },
          assignees: [{ summary: 'Ada', html_url: 'https://acme.pagerduty.com/users/U1' }],
        },
      },
    },
  },
  {
    service: 'pagerduty',
    about: 'an incident that escalates',
    payload: {
      event: { event_type: 'incident.escalated', data: { number: 48, title: 'Too hot', assignees: [] } },
    },
  },
  {
    service: 'opsgenie',
    about: 'an alert',
    payload: {
      action: 'Create',
      integrationName: 'Ovens',
      alert: {
        alertId: 'a-1',
        message: 'Too hot',
        username: 'ada@example.com',
        priority: 'P2',
        tags: ['oven', 'hot'],
        description: 'Above 300',
      },
    },
  },
  {
    service: 'statuspage',
    about: 'an incident',
    payload: {
      incident: {
        name: 'No soup',
        status: 'investigating',
        impact: 'major',
        shortlink: 'https://stspg.io/1',
        incident_updates: [{ body: 'We look into it.' }],
      },
    },
  },
  {
    service: 'statuspage',
    about: 'a component',
    payload: {
      component: { name: 'Oven' },
      component_update: { old_status: 'operational', new_status: 'major_outage' },
    },
  },
  {
    service: 'uptimerobot',
    about: 'a monitor that is down',
    payload: {
      monitor_url: 'https://soup.example.com',
      monitor_friendly_name: 'Soup',
      alert_type_friendly_name: 'Down',
      alert_details: 'Connection timeout',
    },
  },
  {
    service: 'uptimerobot',
    about: 'a form about a monitor that is up',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload:
      'monitor_url=https%3A%2F%2Fsoup.example.com&monitor_friendly_name=Soup&alert_type_friendly_name=Up&alert_details=HTTP+200&alert_friendly_duration=5+minutes',
  },
  { service: 'sentry', about: 'an exception', payload: { action: 'triggered', data: { event } } },
  {
    service: 'sentry',
    about: 'a message',
    payload: {
      data: {
        event: {
          title: 'Low salt',
          level: 'info',
          timestamp: 1777890030,
          logentry: { formatted: 'Low salt' },
          web_url: event.web_url,
        },
      },
    },
  },
  {
    service: 'sentry',
    about: 'an issue',
    payload: {
      action: 'created',
      data: {
        issue: {
          title: 'Low salt',
          level: 'error',
          firstSeen: '2026-05-04T10:20:30Z',
          web_url: 'https://sentry.io/acme/issues/1/',
        },
      },
    },
  },
  {
    service: 'sentry',
    about: 'an assignment',
    payload: {
      action: 'assigned',
      actor: { name: 'Ada' },
      data: { issue: { title: 'Low salt', assignedTo: { type: 'team', name: 'cooks' } } },
    },
  },
  {
    service: 'sentry',
    about: 'the older form',
    payload: {
      project_name: 'soup',
      url: 'https://sentry.io/acme/issues/1/',
      level: 'error',
      message: 'Low salt',
    },
  },
];
