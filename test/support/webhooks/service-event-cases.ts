import type { ServiceCase } from './service-case';

const hash = '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c';

const stripe = (type: string, about: string, object: object, previous?: object): ServiceCase => ({
  service: 'stripe',
  about,
  payload: {
    type,
    created: 1_572_000_000,
    data: { object, ...(previous && { previous_attributes: previous }) },
  },
});

const charge = { id: 'ch_1', amount: 100, currency: 'usd' };
const customer = { id: 'cus_1', email: 'ada@example.com', metadata: { shift: 'late' } };
const invoice = { id: 'in_1', customer: 'cus_1', currency: 'usd', amount_paid: 5, amount_remaining: 0 };
const subscription = { id: 'sub_1', customer: 'cus_1' };

const circle = (about: string, pipeline: object, status = 'success'): ServiceCase => ({
  service: 'circleci',
  about,
  payload: {
    type: 'workflow-completed',
    project: { name: 'kitchen' },
    workflow: { name: 'build', status, url: 'https://app.circleci.com/w/1' },
    pipeline: { number: 3, ...pipeline },
  },
});

const netlify = (event: string, about: string, more: object = {}): ServiceCase => ({
  service: 'netlify',
  about,
  headers: { 'x-netlify-event': event },
  payload: { name: 'soup', url: 'https://soup.netlify.app', branch: 'main', ...more },
});

const slack = (about: string, payload: object): ServiceCase => ({
  service: 'slack_incoming',
  about,
  payload,
});
const text = (words: string) => ({ type: 'mrkdwn', text: words });

const bitbucketCommit = {
  provider_name: 'bitbucket',
  target_repository_url: 'https://bitbucket.org/acme/kitchen',
  revision: hash,
  commit: { subject: 'Salt', author: { name: 'Ada' } },
  branch: 'main',
};

/** Every event of Stripe, CircleCI, Netlify and similar services without another case. */
export const SERVICE_EVENT_CASES: readonly ServiceCase[] = [
  stripe('charge.succeeded', 'a charge of a customer', { ...charge, customer: 'cus_1' }),
  stripe('charge.failed', 'a charge of nobody that failed', { ...charge, failure_code: 'card_declined' }),
  stripe('charge.succeeded', 'a charge in yen', { ...charge, currency: 'jpy' }),
  stripe('charge.succeeded', 'a charge in shillings', { ...charge, currency: 'ugx' }),
  stripe('charge.dispute.created', 'a dispute', { id: 'dp_1', status: 'needs_response' }),
  stripe('customer.created', 'a customer', customer),
  stripe('customer.updated', 'a customer with another address', customer, {
    email: 'a@x.org',
    delinquent: true,
  }),
  stripe('customer.updated', 'a customer of whom nothing is told', customer, { currency: 'usd' }),
  stripe('customer.deleted', 'a customer who goes', customer),
  stripe('customer.source.created', 'a card of a customer', { id: 'card_1', customer: 'cus_1' }),
  stripe('customer.subscription.created', 'a subscription to a plan without a name', {
    ...subscription,
    plan: { id: 'plan_1', nickname: null },
    quantity: 1,
    billing: 'send_invoice',
  }),
  stripe('customer.subscription.deleted', 'a subscription that ends', subscription),
  stripe('customer.subscription.trial_will_end', 'a trial', { ...subscription, trial_end: 1_572_259_200 }),
  stripe('invoice.payment_failed', 'an invoice that is not paid', invoice),
  stripe('invoice.upcoming', 'an invoice to come', { customer: 'cus_1' }),
  stripe('invoice.updated', 'an invoice that is paid', { ...invoice, paid: true }, { paid: false }),
  stripe(
    'invoice.updated',
    'an invoice that changes',
    { ...invoice, attempted: true },
    { attempted: false, lines: 1 },
  ),
  stripe('invoiceitem.created', 'an item of an invoice', { ...charge, id: 'ii_1', customer: 'cus_1' }),
  stripe('account.updated', 'an account', { id: 'acct_1', country: 'DE' }, { country: 'FR' }),
  stripe('account.updated', 'an account without changes', { id: 'acct_1' }),
  stripe('file.created', 'a file', { id: 'file_1', purpose: 'dispute_evidence', title: 'Receipt' }),
  stripe('payment_intent.created', 'what others tell as well', { id: 'pi_1' }),
  circle('a workflow of Bitbucket', { vcs: bitbucketCommit }),
  circle('a workflow that was started by hand', { vcs: { ...bitbucketCommit, commit: {} } }, 'canceled'),
  circle(
    'a workflow of a tag',
    { vcs: { ...bitbucketCommit, provider_name: 'github', commit: {}, branch: null, tag: 'v1' } },
    'failed',
  ),
  circle('a workflow without a commit', {}, 'error'),
  {
    service: 'circleci',
    about: 'a first call',
    payload: { type: 'ping', webhook: { name: 'Builds' } },
  },
  netlify('deploy_building', 'a deploy that starts', { state: 'building' }),
  netlify('deploy_created', 'a deploy that is live', { state: 'ready' }),
  netlify('deploy_locked', 'a deploy that is locked'),
  netlify('deploy_unlocked', 'a deploy that is unlocked'),
  {
    service: 'statuspage',
    about: 'a component of a page',
    payload: {
      page: { status_description: 'All Systems Operational' },
      component: { name: 'Oven' },
      component_update: { old_status: 'operational', new_status: 'under_maintenance' },
    },
  },
  {
    service: 'uptimerobot',
    about: 'a monitor without a scheme that is up',
    payload: {
      alert_type_friendly_name: 'Up',
      monitor_friendly_name: 'Soup',
      monitor_url: 'soup.example.com',
      alert_details: 'HTTP 200',
      alert_friendly_duration: '5 minutes',
    },
  },
  slack('a text for a channel, with an emoji', {
    channel: '#kitchen',
    icon_emoji: ':soup:',
    text: '<https://x.org|*Soup*> is _hot_, *foo*a*bar*',
  }),
  slack('each kind of block', {
    channel: '@ada',
    text: 'Only for notifications',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Soup' } },
      { type: 'divider' },
      { type: 'section', text: text('*Salt*'), fields: [text('a'), text('b|c'), text('d')] },
      { type: 'section', text: text('One'), fields: [text('field')] },
      { type: 'image', image_url: 'https://x.org/a.png', alt_text: 'A pot' },
      {
        type: 'context',
        elements: [text('By Ada'), { type: 'image', image_url: 'https://x.org/b.png', alt_text: 'Ada' }],
      },
      { type: 'actions', elements: [] },
    ],
  }),
  slack('an attachment with everything', {
    attachments: [
      {
        title: 'Soup',
        title_link: 'https://x.org/soup',
        pretext: 'Before',
        text: 'It is *hot*',
        fields: [{ title: 'Salt', value: 'much' }],
        image_url: 'https://x.org/a.png',
        footer: 'Kitchen',
        ts: 1_572_000_000,
      },
    ],
  }),
  slack('buttons alone', { text: null, blocks: [{ type: 'actions', elements: [] }] }),
];
