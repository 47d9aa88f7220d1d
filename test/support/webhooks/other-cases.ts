import type { ServiceCase } from './service-case';

const hash = '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const issue = {
  key: 'SOUP-3',
  self: 'https://acme.atlassian.net/rest/api/2/issue/10003',
  fields: {
    summary: 'Cold soup',
    priority: { name: 'High' },
    assignee: { displayName: 'Ben' },
    description: 'Since *noon*.',
  },
};

const user = { displayName: 'Ada Cook' };

const linear = {
  identifier: 'SOU-3',
  title: 'Cold soup',
  state: { name: 'Todo' },
  priorityLabel: 'High',
  assignee: { name: 'Ben' },
  description: 'Since noon.',
};

const circle = {
  project: { name: 'kitchen' },
  pipeline: {
    number: 12,
    vcs: {
      revision: hash,
      target_repository_url: 'https://github.com/acme/kitchen',
      branch: 'main',
      commit: { subject: 'Salt', author: { name: 'Ada' } },
    },
  },
  workflow: { name: 'build', status: 'success', url: 'https://app.circleci.com/w/1' },
};

const slack = (about: string, payload: unknown, more: Partial<ServiceCase> = {}): ServiceCase => ({
  service: 'slack_incoming',
  about,
  payload,
  ...more,
});

/** Payloads of all other services. */
export const OTHER_CASES: readonly ServiceCase[] = [
  {
    service: 'jira',
    about: 'an issue',
    payload: { webhookEvent: 'jira:issue_created', user, issue },
  },
  {
    service: 'jira',
    about: 'a change',
    payload: {
      webhookEvent: 'jira:issue_updated',
      user,
      issue,
      changelog: {
        items: [
          { field: 'status', fromString: 'To Do', toString: 'Done' },
          { field: 'Rank', toString: 'x' },
        ],
      },
    },
  },
  {
    service: 'jira',
    about: 'a comment',
    payload: {
      webhookEvent: 'comment_created',
      comment: { body: '*Warm* it, [here|https://x.org] {{now}}', author: user },
      issue,
    },
  },
  {
    service: 'jira',
    about: 'what is not worth a message',
    payload: { webhookEvent: 'sprint_started' },
  },
  {
    service: 'linear',
    about: 'an issue',
    payload: {
      type: 'Issue',
      action: 'create',
      actor: { name: 'Ada' },
      data: linear,
      url: 'https://linear.app/acme/issue/SOU-3',
    },
  },
  {
    service: 'linear',
    about: 'a comment',
    payload: {
      type: 'Comment',
      action: 'create',
      data: { body: 'Warm it.', user: { name: 'Ada' }, issue: { title: 'Cold soup' } },
      url: 'https://linear.app/acme/issue/SOU-3#c',
    },
  },
  { service: 'circleci', about: 'a workflow', payload: { type: 'workflow-completed', ...circle } },
  {
    service: 'circleci',
    about: 'a job',
    payload: { type: 'job-completed', ...circle, job: { name: 'lint', status: 'failed' } },
  },
  {
    service: 'travis',
    about: 'a build in a form',
    headers: form,
    payload: `payload=${encodeURIComponent(JSON.stringify({ author_name: 'Ada', status_message: 'Passed', compare_url: 'https://github.com/compare', build_url: 'https://travis-ci.com/1', type: 'push' }))}`,
  },
  {
    service: 'jenkins',
    about: 'a build',
    payload: {
      name: 'kitchen',
      build: {
        number: 4,
        phase: 'COMPLETED',
        status: 'FAILURE',
        full_url: 'https://ci.example.com/4',
        scm: { branch: 'main', commit: hash },
      },
    },
  },
  {
    service: 'jenkins',
    about: 'the same again',
    payload: { name: 'kitchen', build: { number: 4, phase: 'FINALIZED', status: 'FAILURE' } },
  },
  {
    service: 'netlify',
    about: 'a deploy',
    headers: { 'X-Netlify-Event': 'deploy_failed' },
    payload: {
      id: 'd1',
      name: 'soup',
      branch: 'main',
      deploy_ssl_url: 'https://main--soup.netlify.app',
      admin_url: 'https://app.netlify.com/sites/soup',
      error_message: 'No salt',
    },
  },
  {
    service: 'heroku',
    about: 'a deploy in a form',
    headers: form,
    payload: `head=${hash}&app=soup&user=ada%40example.com&url=https%3A%2F%2Fsoup.herokuapp.com&git_log=++*+Ada%3A+Salt`,
  },
  {
    service: 'heroku',
    about: 'a release',
    payload: {
      resource: 'release',
      action: 'update',
      actor: { email: 'ada@example.com' },
      data: { status: 'succeeded', version: 7, app: { name: 'soup' }, description: 'Deploy 0d1a26e' },
    },
  },
  {
    service: 'stripe',
    about: 'a charge',
    payload: {
      type: 'charge.failed',
      livemode: false,
      data: {
        object: {
          object: 'charge',
          id: 'ch_1',
          amount: 1250,
          currency: 'usd',
          customer: 'cus_1',
          failure_code: 'card_declined',
        },
      },
    },
  },
  {
    service: 'stripe',
    about: 'an invoice in yen',
    payload: {
      type: 'invoice.paid',
      livemode: true,
      data: { object: { object: 'invoice', id: 'in_1', total: 900, currency: 'jpy' } },
    },
  },
  slack('a text', {
    channel: '#soups',
    text: 'It is *hot* & <https://x.org/a|here> &lt;now&gt;',
    icon_emoji: ':stew:',
    username: 'cook',
  }),
  slack('a form', `payload=${encodeURIComponent(JSON.stringify({ text: 'From a form' }))}`, {
    headers: form,
    address: { topic: 'forms' },
  }),
  slack('blocks', {
    text: 'shown in notifications',
    channel: 'soups',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Menu' } },
      {
        type: 'section',
        text: { type: 'mrkdwn', text: '_Today_' },
        fields: [
          { type: 'mrkdwn', text: '*Soup*' },
          { type: 'plain_text', text: 'with *salt*' },
        ],
      },
      { type: 'divider' },
      { type: 'image', alt_text: 'a bowl', image_url: 'https://x.org/bowl.png' },
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: 'Rich ' },
              { type: 'emoji', name: 'stew' },
            ],
          },
        ],
      },
      { type: 'actions', elements: [{ type: 'button' }] },
      { type: 'no such block' },
    ],
  }),
  slack('attachments', {
    channel: 'soups',
    text: 'Hi',
    attachments: [
      {
        title: 'Menu',
        title_link: 'https://x.org',
        pretext: 'First',
        text: 'Soup',
        fields: [{ title: 'Salt', value: 'yes' }],
        footer: 'Cook',
        ts: 1777890030,
        color: 'good',
      },
    ],
  }),
  slack('nothing to read', { channel: 'soups', blocks: [{ type: 'actions' }] }),
  { service: 'zapier', about: 'a Zap', payload: { topic: 'soups', content: 'It is **hot**.' } },
  {
    service: 'ifttt',
    about: 'an applet',
    headers: form,
    payload: 'topic=soups&content=It+is+hot.',
  },
  {
    service: 'homeassistant',
    about: 'a notice',
    payload: { message: 'The door is open.', title: 'Door' },
  },
  { service: 'json', about: 'anything', payload: { soup: { hot: true }, fence: '```' } },
  {
    service: 'helloworld',
    about: 'a first try',
    payload: { featured_title: 'Soup', featured_url: 'https://en.wikipedia.org/wiki/Soup' },
  },
];
