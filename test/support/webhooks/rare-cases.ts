import type { ServiceCase } from './service-case';

const hash = '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c';
const sender = { login: 'ada', html_url: 'https://github.com/ada' };
const repository = {
  name: 'kitchen',
  full_name: 'acme/kitchen',
  html_url: 'https://github.com/acme/kitchen',
};

const github = (event: string, about: string, payload: object): ServiceCase => ({
  service: 'github',
  about,
  headers: { 'x-github-event': event },
  payload: { sender, ...payload },
});

const bucket = { name: 'kitchen', links: { html: { href: 'https://bitbucket.org/acme/kitchen' } } };
const actor = { display_name: 'Ada Cook' };

const jiraIssue = {
  key: 'SOUP-3',
  self: 'https://acme.atlassian.net/rest/api/2/issue/10003',
  fields: { summary: 'Cold soup' },
};
const author = { displayName: 'Ada Cook' };

const stripe = (about: string, type: string, object: object, previous?: object): ServiceCase => ({
  service: 'stripe',
  about,
  payload: {
    type,
    created: 1_572_000_000,
    data: { object, ...(previous && { previous_attributes: previous }) },
  },
});

const giteaRequest = {
  id: 1905,
  number: 4,
  title: 'New oven',
  html_url: 'https://git.example.com/acme/kitchen/pulls/4',
  user: { username: 'ben' },
  head: { ref: 'oven' },
  base: { ref: 'main' },
};

/** Payloads that services rarely send, or sent in older versions. */
export const RARE_CASES: readonly ServiceCase[] = [
  github('team', 'a team with another name', {
    action: 'edited',
    team: { name: 'Cooks', privacy: 'closed' },
    changes: { name: { from: 'Waiters' } },
  }),
  github('team', 'a team that is seen by others', {
    action: 'edited',
    team: { name: 'Cooks', privacy: 'closed' },
    changes: { privacy: { from: 'secret' } },
  }),
  github('team', 'a new team', { action: 'created', team: { name: 'Cooks' } }),
  github('sponsorship', 'a sponsor', {
    action: 'created',
    sponsorship: { tier: { name: '$5 a month' } },
  }),
  github('pending_tier_change', 'a sponsor who will give more', {
    changes: { tier: { from: { name: '$5 a month' } } },
    sponsorship: { tier: { name: '$10 a month' } },
    effective_date: '2020-01-05T00:00:00+00:00',
  }),
  github('issues', 'an issue from elsewhere', {
    action: 'opened',
    repository,
    issue: { number: 3, title: 'Cold', html_url: 'https://github.com/acme/kitchen/issues/3' },
    changes: {
      old_issue: { number: 9, html_url: 'https://github.com/acme/bar/issues/9' },
      old_repository: { full_name: 'acme/bar' },
    },
  }),
  github('pull_request', 'a locked request', {
    action: 'locked',
    repository,
    pull_request: {
      number: 7,
      title: 'Oven',
      html_url: 'https://github.com/acme/kitchen/pull/7',
      active_lock_reason: 'too heated',
    },
  }),
  {
    service: 'gitea',
    about: 'a request whose ID is not its number',
    headers: { 'x-gitea-event': 'pull_request' },
    payload: { action: 'synchronized', pull_request: giteaRequest, repository, sender: { login: 'ada' } },
  },
  {
    service: 'gogs',
    about: 'a merged request',
    headers: { 'x-gogs-event': 'pull_request' },
    payload: {
      action: 'closed',
      pull_request: {
        id: 4,
        number: 4,
        title: 'New oven',
        merged: true,
        merged_by: { username: 'cleo' },
        head_branch: 'oven',
        base_branch: 'main',
        assignee: { login: 'ben' },
      },
      repository,
      sender: { login: 'ada' },
    },
  },
  {
    service: 'bitbucket2',
    about: 'a forced push, without a header',
    payload: {
      actor,
      repository: bucket,
      push: {
        changes: [
          {
            forced: true,
            new: { type: 'branch', name: 'main', target: { hash } },
            links: { html: { href: 'https://bitbucket.org/acme/kitchen/branches/compare/a..b' } },
          },
        ],
      },
    },
  },
  {
    service: 'bitbucket2',
    about: 'a repository with another website',
    headers: { 'x-event-key': 'repo:updated' },
    payload: {
      actor,
      repository: bucket,
      changes: { website: { old: '', new: 'https://soup.example.com' } },
    },
  },
  {
    service: 'bitbucket2',
    about: 'a build that ended well',
    payload: {
      actor,
      repository: bucket,
      commit_status: {
        key: 'CI',
        url: 'https://ci.example.com/1',
        state: 'SUCCESSFUL',
        links: { commit: { href: `https://api.bitbucket.org/2.0/repositories/acme/kitchen/commit/${hash}` } },
      },
    },
  },
  {
    service: 'bitbucket2',
    about: 'a push on a server of old',
    payload: {
      canon_url: 'https://bitbucket.example.com',
      user: 'ada',
      repository: { name: 'kitchen', absolute_url: '/acme/kitchen/' },
      commits: [{ branch: 'main', author: 'ada', message: 'Salt the soup\n', raw_node: hash }],
    },
  },
  {
    service: 'jira',
    about: 'a deleted comment, with an address that is escaped twice',
    address: { topic: 'cold%20soup' },
    payload: { webhookEvent: 'comment_deleted', issue: jiraIssue, comment: { author, body: 'Warm it.' } },
  },
  {
    service: 'jira',
    about: 'a deleted comment of a server',
    payload: {
      webhookEvent: 'jira:issue_updated',
      issue_event_type_name: 'issue_comment_deleted',
      user: author,
      issue: jiraIssue,
    },
  },
  {
    service: 'jira',
    about: 'a comment of an old server',
    payload: {
      webhookEvent: 'comment_created',
      comment: {
        author,
        self: 'https://jira.example.com/rest/api/2/issue/10000/comment/10500',
        body: '{quote}Cold{quote} [https://x.org]',
      },
    },
  },
  {
    service: 'jira',
    about: 'a change of status with an empty comment',
    payload: {
      transition: { from_status: 'To Do', to_status: 'Done' },
      comment: '',
      user: author,
      issue: jiraIssue,
    },
  },
  {
    service: 'linear',
    about: 'a changed issue of a team',
    payload: {
      type: 'Issue',
      action: 'update',
      url: 'https://linear.app/acme/issue/SOU-3',
      data: {
        identifier: 'SOU-3',
        title: 'Cold soup',
        description: 'Since noon.',
        team: { name: 'Kitchen' },
        priorityLabel: 'No priority',
        state: { name: 'Todo' },
      },
    },
  },
  {
    service: 'opsgenie',
    about: 'an action of an organization',
    payload: {
      action: 'TestAction',
      integrationName: 'Ovens',
      escalationName: 'Chefs',
      alert: { alertId: 'a-1', recipient: 'ada@example.com' },
    },
  },
  {
    service: 'pagerduty',
    about: 'an incident that somebody acknowledges, in the first version',
    payload: {
      messages: [
        {
          type: 'incident.acknowledge',
          data: {
            incident: {
              incident_number: 48,
              html_url: 'https://acme.pagerduty.com/incidents/P1',
              assigned_to_user: {
                name: 'Ada Cook',
                email: 'ada@example.com',
                html_url: 'https://a.example/U1',
              },
              trigger_summary_data: { subject: 'Too hot', description: 'The oven is on.' },
            },
          },
        },
      ],
    },
  },
  {
    service: 'sentry',
    about: 'the oldest form',
    payload: {
      project_name: 'kitchen',
      url: 'https://sentry.example.com/1/',
      level: 'error',
      message: 'Cold soup',
      event: { type: 'default' },
    },
  },
  {
    service: 'statuspage',
    about: 'an incident of a page',
    payload: {
      page: { status_description: 'Partial outage' },
      incident: { name: 'Oven', status: 'identified', incident_updates: [{ body: 'We look into it.' }] },
    },
  },
  {
    service: 'circleci',
    about: 'a workflow of GitLab',
    payload: {
      type: 'workflow-completed',
      project: { name: 'kitchen' },
      workflow: { name: 'build', status: 'success', url: 'https://app.circleci.com/w/1' },
      pipeline: {
        number: 3,
        trigger_parameters: {
          gitlab: {
            type: 'push',
            checkout_sha: hash,
            commit_title: 'Salt',
            commit_author_name: 'Ada',
            branch: 'main',
            web_url: 'https://gitlab.com/acme/kitchen',
          },
        },
      },
    },
  },
  {
    service: 'uptimerobot',
    about: 'a monitor without a scheme',
    payload: {
      alert_type_friendly_name: 'Down',
      monitor_friendly_name: 'Soup',
      monitor_url: 'soup.example.com',
      alert_details: 'Timeout',
    },
  },
  {
    service: 'slack_incoming',
    about: 'attachments beside a text, and fields with one half',
    payload: {
      text: 'Only for notifications',
      attachments: [{ title: 'Soup', fields: [{ title: 'Salt' }, { value: 'much' }] }],
    },
  },
  stripe('a subscription', 'customer.subscription.created', {
    id: 'sub_1',
    customer: 'cus_1',
    plan: { id: 'plan_1', nickname: 'Soup of the day' },
    quantity: 800,
    billing: 'charge_automatically',
  }),
  stripe(
    'a changed subscription',
    'customer.subscription.updated',
    { id: 'sub_1', customer: 'cus_1', billing_cycle_anchor: 1_572_609_600, start: 1 },
    { billing_cycle_anchor: 1, start: 0 },
  ),
  stripe('a discount', 'customer.discount.created', {
    customer: 'cus_1',
    coupon: { id: 'SOUP', name: '25% off' },
  }),
  stripe('an invoice', 'invoice.created', {
    id: 'in_1',
    customer: 'cus_1',
    currency: 'aud',
    billing_reason: 'manual',
    total: 100,
    amount_due: 50,
  }),
  stripe('an invoice that nobody needs to see', 'invoice.updated', { id: 'in_1', lines: 1 }, { lines: 2 }),
  stripe('a refund', 'charge.refund.updated', { id: 're_1', charge: 'ch_1', amount: 1234, currency: 'eur' }),
];
