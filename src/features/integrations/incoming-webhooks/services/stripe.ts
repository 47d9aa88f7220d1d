import type { Integration, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { bold, bullets, joined, link, safe, NOTHING, type SafeText } from '../reading/safe-text';

const DASHBOARD = 'https://dashboard.stripe.com';

/** Currencies without a minor unit, whose amounts are not in hundredths. */
const WHOLE = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));

function amountOf(object: Payload, key = 'amount'): string {
  const amount = object.number(key);
  const currency = object.textOr('currency', 'usd').toLowerCase();
  const number = WHOLE.has(currency) ? String(amount) : (amount / 100).toFixed(2);
  return currency === 'usd' ? `$${number}` : `${number} ${currency.toUpperCase()}`;
}

/** Names and dashboard pages of objects, by ID prefix. */
const THINGS: Readonly<Record<string, readonly [name: string, page?: string]>> = {
  ba: ['Bank account'],
  card: ['Card'],
  ch: ['Charge', 'charges'],
  cs: ['Checkout', 'payments'],
  cus: ['Customer', 'customers'],
  dp: ['Dispute', 'disputes'],
  du: ['Dispute', 'disputes'],
  file: ['File', 'files'],
  ii: ['Invoice item', 'invoiceitems'],
  in: ['Invoice', 'invoices'],
  link: ['File link'],
  mbur: ['Invoice item'],
  pi: ['Payment intent', 'payment_intents'],
  po: ['Payout', 'payouts'],
  prod: ['Product', 'products'],
  py: ['Payment', 'payments'],
  pyr: ['Refund', 'refunds'],
  re: ['Refund', 'refunds'],
  si: ['Subscription item', 'subscription_items'],
  src: ['Source'],
  sub: ['Subscription', 'subscriptions'],
};

function thing(id: string): SafeText {
  const prefix = /^[a-z]+(?=_)/.exec(id)?.[0] ?? '';
  const [name = 'Object', page] = Object.hasOwn(THINGS, prefix) ? (THINGS[prefix] ?? []) : [];
  return page === undefined ? safe`${name}` : link(name, `${DASHBOARD}/${page}/${encodeURIComponent(id)}`);
}

/** An event and the object that it concerns. */
interface Told {
  readonly payload: Payload;
  readonly object: Payload;
  readonly named: SafeText;
  /** Last part of the event type, such as `payment failed`. */
  readonly did: string;
}

const words = (text: string) => text.replaceAll('_', ' ');

/** Converts `billing_cycle_anchor` to `Billing cycle anchor`. */
const titleOf = (key: string) => words(key).replace(/^./, (first) => first.toUpperCase());

const TIMES = { from: 1_500_000_000, to: 2_000_000_000 };

/** Formats a new value; integers in the range of current UNIX times are shown as times. */
function shownValue(value: Payload): string {
  const { value: raw } = value;
  if (typeof raw === 'number' && Number.isInteger(raw) && raw >= TIMES.from && raw <= TIMES.to) {
    const time = new Date(raw * 1000);
    const day = time.toLocaleDateString('en-US', {
      month: 'short',
      day: '2-digit',
      year: 'numeric',
      timeZone: 'UTC',
    });
    return `${day}, ${time.toISOString().slice(11, 19)} UTC`;
  }
  if (typeof raw === 'object' && raw !== null) return JSON.stringify(raw).slice(0, 300);
  if (typeof raw === 'boolean') return raw ? 'True' : 'False';
  return typeof raw === 'string' || typeof raw === 'number' ? String(raw) : 'None';
}

/** Lists the changes without those in `except`; null if there are no others. */
function changes({ payload, object }: Told, ...except: readonly string[]): SafeText | null {
  const before = payload.at('data.previous_attributes').value;
  const keys = typeof before === 'object' && before !== null ? Object.keys(before).slice(0, 100).sort() : [];
  const lines = keys
    .filter((key) => !except.includes(key))
    .map((key) => safe`${titleOf(key)} is now ${bold(shownValue(object.at(key)))}`);
  return lines.length === 0 ? null : bullets(lines);
}

const withLines = (sentence: SafeText, lines: SafeText | null) =>
  lines && joined([safe`${sentence}:`, lines], '\n\n');

const happened = ({ named, did }: Told) => safe`${named} ${bold(did)}`;

function charge(told: Told): SafeText {
  const { object, named, did } = told;
  const failure = object.textOr('failure_code', '');
  const because = failure === '' ? NOTHING : safe`. Failure code: ${failure}`;
  return safe`${named} for ${amountOf(object)} ${bold(did)}${because}.`;
}

function customer(told: Told): SafeText | null {
  if (told.did === 'updated')
    return withLines(happened(told), changes(told, 'delinquent', 'currency', 'default_source'));
  if (told.did !== 'created') return safe`${happened(told)}.`;
  const { object } = told;
  const facts = [
    ...(object.has('email') ? [safe`Email: ${object.text('email')}`] : []),
    ...object.texts('metadata').map(([key, value]) => safe`${key}: ${value}`),
  ];
  return facts.length === 0 ? safe`${happened(told)}.` : withLines(happened(told), bullets(facts));
}

function discount(told: Told): SafeText {
  const coupon = told.object.at('coupon');
  const id = coupon.textOr('id', '');
  const named = link(coupon.textOr('name', id) || id, `${DASHBOARD}/coupons/${encodeURIComponent(id)}`);
  return safe`Discount ${bold(told.did)} (${named}).`;
}

const DAY_SECONDS = 86_400;

function subscription(told: Told): SafeText | null {
  const { object, payload, did } = told;
  if (did === 'updated') return withLines(happened(told), changes(told));
  if (did === 'trial will end') {
    const seconds = object.number('trial_end') - payload.number('created');
    return safe`${told.named} trial will end in ${Math.round(seconds / DAY_SECONDS)} days.`;
  }
  if (did !== 'created') return safe`${happened(told)}.`;
  const id = object.textOr('plan.id', '');
  const page = `${DASHBOARD}/plans/${encodeURIComponent(id)}`;
  const facts: readonly (readonly [string, SafeText])[] = [
    ['Plan', id === '' ? NOTHING : link(object.textOr('plan.nickname', page) || page, page)],
    ['Quantity', safe`${object.textOr('quantity', '')}`],
    ['Billing method', safe`${words(object.textOr('billing', object.textOr('collection_method', '')))}`],
  ];
  const lines = facts.filter(([, value]) => !value.isEmpty).map(([name, value]) => safe`${name}: ${value}`);
  return lines.length === 0 ? safe`${happened(told)}.` : withLines(happened(told), bullets(lines));
}

function invoice(told: Told): SafeText | null {
  const { object, payload, did, named } = told;
  if (did === 'upcoming') return safe`Upcoming ${payload.has('data.object.id') ? named : 'Invoice'}.`;
  if (did === 'created')
    return withLines(
      happened(told),
      bullets([
        safe`Reason: ${words(object.textOr('billing_reason', 'unknown'))}`,
        safe`Total: ${amountOf(object, 'total')}`,
        safe`Amount due: ${amountOf(object, 'amount_due')}`,
      ]),
    );
  if (did !== 'updated') return safe`${happened(told)}.`;
  const isPaid =
    payload.is('data.previous_attributes.paid', false) &&
    object.is('paid', true) &&
    !object.is('amount_paid', 0) &&
    object.is('amount_remaining', 0);
  if (isPaid) return safe`${named} is now paid.`;
  const quiet = ['lines', 'description', 'number', 'finalized_at', 'status_transitions', 'payment_intent'];
  return withLines(happened(told), changes(told, ...quiet));
}

function invoiceItem(told: Told): SafeText | null {
  if (told.did === 'updated') return withLines(happened(told), changes(told, 'description', 'invoice'));
  return told.did === 'created'
    ? safe`${happened(told)} for ${amountOf(told.object)}.`
    : safe`${happened(told)}.`;
}

function refund({ object, named }: Told): SafeText {
  const charged = object.textOr('charge', object.textOr('payment_intent', ''));
  const of = charged === '' ? NOTHING : safe` of a ${thing(charged)}`;
  return safe`A ${named}${of} of ${amountOf(object)} was created.`;
}

function dispute(told: Told): SafeText {
  const status = words(told.object.textOr('status', 'unknown'));
  return safe`${happened(told)}. Current status: ${bold(status)}.`;
}

function file(told: Told): SafeText {
  const { object } = told;
  const title = object.textOr('title', '');
  const purpose = words(object.textOr('purpose', 'unknown'));
  return safe`${happened(told)} (${purpose}).${title === '' ? NOTHING : safe` Title: ${title}`}`;
}

/** Readers by prefix of the event type; the first match applies. A `topic` replaces the customer's. */
const READERS: readonly {
  readonly begins: string;
  readonly topic?: string;
  say(told: Told): SafeText | null;
}[] = [
  {
    begins: 'account.updated',
    topic: 'account updates',
    say: (told) => withLines(safe`Account updates`, changes(told)),
  },
  { begins: 'charge.dispute.', topic: 'disputes', say: dispute },
  { begins: 'charge.refund.', topic: 'refunds', say: refund },
  { begins: 'charge.', say: charge },
  { begins: 'checkout.session.', say: (told) => safe`${happened(told)}.` },
  { begins: 'customer.discount.', say: discount },
  { begins: 'customer.source.', say: (told) => safe`${happened(told)}.` },
  { begins: 'customer.subscription.', say: subscription },
  { begins: 'customer.', say: customer },
  { begins: 'file.', topic: 'files', say: file },
  { begins: 'invoice.', say: invoice },
  { begins: 'invoiceitem.', say: invoiceItem },
  { begins: 'refund.', topic: 'refunds', say: refund },
];

/** Events that duplicate others, or occur with every change. */
const QUIET =
  /^(?:account|application_fee|balance|capability|checkout_beta|coupon|issuing\w*|order\w*|payment_intent|payment_method|payout|person|plan|product|radar|recipient|reporting|review|sigma|sku|source|subscription_schedule|topup|transfer)\./;

/** The customer ID as the topic; for objects without a customer, `charges` or the object's ID. */
function topicOf(type: string, object: Payload): string {
  const customer = object.at('customer').value;
  if (typeof customer === 'string' && customer !== '') return customer;
  if (type.startsWith('charge.')) return 'charges';
  return object.textOr('id', type.split('.', 1)[0] ?? '');
}

/** Stripe. */
export const STRIPE: Integration = {
  name: 'stripe',
  displayName: 'Stripe',
  about: 'Charges, disputes, refunds, customers, discounts, subscriptions, invoices, files and checkouts.',
  events: [
    'account.updated',
    'charge.*',
    'checkout.session.*',
    'customer.*',
    'file.*',
    'invoice.*',
    'invoiceitem.*',
    'refund.*',
  ],
  read(call): IntegrationPost | null {
    const { payload } = call;
    const type = payload.text('type');
    const reader = READERS.find(({ begins }) => type.startsWith(begins));
    if (!reader && QUIET.test(type)) return null;
    if (!reader) throw call.unsupported(type);
    const object = payload.object('data.object');
    const did = words(type.split('.').at(-1) ?? '');
    const content = reader.say({ payload, object, named: thing(object.textOr('id', '')), did });
    return content && { event: type, topic: reader.topic ?? topicOf(type, object), content };
  },
};
