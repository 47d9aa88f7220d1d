import type { ServiceCase } from './service-case';

const ada = { displayName: 'Ada Cook' };
const issue = {
  key: 'SOUP-3',
  self: 'https://acme.atlassian.net/rest/api/2/issue/10003',
  fields: { summary: 'Cold soup', assignee: { displayName: 'Ben' } },
};
const comment = { author: ada, body: 'Warm it.' };

const jira = (about: string, payload: object, address: object = {}): ServiceCase => ({
  service: 'jira',
  about,
  address: { ...address },
  payload: { issue, ...payload },
});

const changed = (about: string, type: string, more: object = {}) =>
  jira(about, { webhookEvent: 'jira:issue_updated', issue_event_type_name: type, user: ada, ...more });

const status = { items: [{ field: 'status', fromString: 'To Do', toString: 'Done' }] };

const linear = (type: string, action: string, about: string, data: object): ServiceCase => ({
  service: 'linear',
  about,
  payload: { type, action, url: 'https://linear.app/acme/issue/SOU-3', data },
});

const linearIssue = {
  identifier: 'SOU-3',
  title: 'Cold soup',
  description: 'Since noon.',
  team: { name: 'Kitchen' },
  priorityLabel: 'Urgent',
  assignee: { name: 'Ben' },
  state: { name: 'Todo' },
};
const remark = { body: 'Warm it.', user: { name: 'Ada' }, issue: { title: 'Cold soup' } };

const opsgenie = (action: string, about: string, alert: object = {}): ServiceCase => ({
  service: 'opsgenie',
  about,
  payload: { action, integrationName: 'Ovens', alert: { alertId: 'a-1', ...alert } },
});

const links = 'https://acme.pagerduty.com';
const person = { email: 'ada@example.com', html_url: `${links}/users/U1` };
const named = { summary: 'Ben Baker', html_url: `${links}/users/U2` };
const firstIncident = {
  incident_number: 48,
  html_url: `${links}/incidents/P1`,
  service: { name: 'Oven', html_url: `${links}/services/S1` },
  assigned_to_user: person,
  resolved_by_user: { email: 'cleo@example.com', html_url: `${links}/users/U3` },
  trigger_summary_data: { subject: 'Too hot', description: 'The oven is on.' },
};
const secondIncident = {
  incident_number: 48,
  html_url: `${links}/incidents/P1`,
  description: 'Too hot',
  service: { name: 'Oven', html_url: `${links}/services/S1` },
  assignments: [{ assignee: named }],
  last_status_change_by: { summary: 'Cleo', html_url: `${links}/users/U3` },
};

const first = (type: string, about: string): ServiceCase => ({
  service: 'pagerduty',
  about,
  payload: { messages: [{ type: `incident.${type}`, data: { incident: firstIncident } }] },
});
const second = (event: string, about: string): ServiceCase => ({
  service: 'pagerduty',
  about,
  payload: { messages: [{ event: `incident.${event}`, incident: secondIncident }] },
});
const third = (event_type: string, about: string, assignees: readonly object[] = [named]): ServiceCase => ({
  service: 'pagerduty',
  about,
  payload: {
    event: {
      event_type: `incident.${event_type}`,
      agent: { summary: 'Cleo', html_url: `${links}/users/U3` },
      data: {
        number: 48,
        title: 'Too hot',
        html_url: `${links}/incidents/P1`,
        service: { summary: 'Oven', html_url: `${links}/services/S1` },
        assignees,
      },
    },
  },
});

const sentry = (about: string, payload: object): ServiceCase => ({ service: 'sentry', about, payload });
const sentryIssue = { title: 'Low salt', web_url: 'https://sentry.io/acme/issues/1/', level: 'error' };

/** Every event of Jira, Linear, Opsgenie, PagerDuty and Sentry without another case. */
export const TRACKER_EVENT_CASES: readonly ServiceCase[] = [
  jira('an issue that is deleted', { webhookEvent: 'jira:issue_deleted', user: ada }),
  changed('a comment told as a change', 'issue_commented', { comment }),
  changed('an edited comment told as a change', 'issue_comment_edited', { comment }),
  changed('a deleted comment told as a change', 'issue_comment_deleted', { comment }),
  changed('a change that came with a comment', 'issue_generic', { comment, changelog: status }),
  jira('a comment that is edited', { webhookEvent: 'comment_updated', comment }),
  jira(
    'a channel that is escaped twice',
    { webhookEvent: 'comment_created', comment: { ...comment, body: 'Warm it\\!' } },
    { stream: 'servi%63es' },
  ),
  jira('a change of status of the oldest servers', {
    transition: { from_status: 'To Do', to_status: 'Done' },
    user: ada,
  }),
  linear('Issue', 'create', 'a sub-issue', { ...linearIssue, parentId: 'p1' }),
  linear('Issue', 'remove', 'an issue that is removed', linearIssue),
  linear('Comment', 'update', 'a comment that is edited', remark),
  linear('Comment', 'remove', 'a comment that is removed', remark),
  linear('IssueLabel', 'create', 'a label', { name: 'bug' }),
  opsgenie('AddNote', 'a note', { note: 'Let it be.' }),
  opsgenie('AddTags', 'more tags', { addedTags: 'hot,dry', tags: ['hot', 'dry'] }),
  opsgenie('RemoveTags', 'fewer tags', { removedTags: 'hot', tags: ['dry'] }),
  opsgenie('AddTeam', 'a team', { team: 'Cooks', message: 'Too hot' }),
  opsgenie('TakeOwnership', 'an owner', { owner: 'ada@example.com' }),
  opsgenie('Escalate', 'an alert that goes up'),
  first('trigger', 'an incident, in the first version'),
  first('unacknowledge', 'an incident that nobody has any more, in the first version'),
  first('resolve', 'an incident that is over, in the first version'),
  first('assign', 'an incident that somebody gets, in the first version'),
  first('escalate', 'an incident that goes up, in the first version'),
  second('trigger', 'an incident, in the second version'),
  second('assign', 'an incident that somebody gets, in the second version'),
  second('acknowledge', 'an incident that somebody acknowledges, in the second version'),
  third('triggered', 'an incident, in the third version', []),
  third('acknowledged', 'an incident that another person acknowledges'),
  third('unacknowledged', 'an incident that nobody has any more'),
  third('resolved', 'an incident that is over'),
  { service: 'pagerduty', about: 'something else', payload: {} },
  sentry('an exception of its plugin', {
    url: 'https://sentry.io/acme/issues/1/',
    event: {
      event_id: 'e2',
      title: 'Cold soup',
      level: 'error',
      timestamp: 1_572_000_000.5,
      platform: 'go',
      metadata: { filename: 'soup.go' },
      exception: {
        values: [
          {
            stacktrace: {
              frames: [
                { filename: 'soup.go', pre_context: ['a'], context_line: 'cook()', post_context: ['b'] },
                { filename: 'lib.go', context_line: 'panic()' },
              ],
            },
          },
        ],
      },
    },
  }),
  sentry('an example of its old client', {
    data: {
      event: {
        title: 'This is an example Python exception',
        platform: 'python',
        version: '6',
        level: 'error',
        datetime: '2020-04-29T11:23:45.5Z',
        web_url: 'https://sentry.io/1/',
        exception: { values: [] },
        metadata: { filename: null },
      },
    },
  }),
  sentry('an issue that is resolved', {
    action: 'resolved',
    actor: { name: 'Ada' },
    data: { issue: sentryIssue },
  }),
  sentry('an issue that is ignored', {
    action: 'ignored',
    actor: { name: 'Ada' },
    data: { issue: sentryIssue },
  }),
  sentry('an issue that somebody has', {
    action: 'created',
    data: {
      issue: {
        ...sentryIssue,
        lastSeen: '2026-05-04T10:20:30.4Z',
        assignedTo: { name: 'cooks', type: 'team' },
      },
    },
  }),
];
