import type { Integration, IntegrationCall, IntegrationPost } from '../reading/integration';
import type { Payload } from '../reading/payload';
import { bold, joined, link, safe, NOTHING, type SafeText } from '../reading/safe-text';

const DASHBOARD = 'https://dashboard.stripe.com';

/** Currencies whose amounts are no hundredths. */
const WHOLE = new Set([
  'bif',
  'clp',
  'djf',
  'gnf',
  'jpy',
  'kmf',
  'krw',
  'mga',
  'pyg',
  'rwf',
  'ugx',
  'vnd',
  'vuv',
  'xaf',
  'xof',
  'xpf',
]);

function amountOf(object: Payload, key = 'amount'): string {
  const amount = object.number(key);
  const currency = object.textOr('currency', 'usd').toLowerCase();
  const number = WHOLE.has(currency) ? String(amount) : (amount / 100).toFixed(2);
  return currency === 'usd' ? `$${number}` : `${number} ${currency.toUpperCase()}`;
}

/** What an object of Stripe is called, where its page is, and what of it is worth telling. */
interface Kind {
  readonly name: string;
  readonly page: string;
  about?(object: Payload): SafeText;
}

const KINDS: Readonly<Record<string, Kind>> = {
  charge: {
    name: 'Charge',
    page: 'payments',
    about: (object) => {
      const code = object.textOr('failure_code', '');
      return safe` for ${amountOf(object)}${code === '' ? NOTHING : safe`, failure code ${code}`}`;
    },
  },
  payment_intent: { name: 'Payment', page: 'payments', about: (object) => safe` of ${amountOf(object)}` },
  dispute: {
    name: 'Dispute',
    page: 'disputes',
    about: (object) =>
      safe` of ${amountOf(object)}, status ${object.textOr('status', 'unknown').replaceAll('_', ' ')}`,
  },
  refund: { name: 'Refund', page: 'refunds', about: (object) => safe` of ${amountOf(object)}` },
  payout: { name: 'Payout', page: 'payouts', about: (object) => safe` of ${amountOf(object)}` },
  customer: {
    name: 'Customer',
    page: 'customers',
    about: (object) => (object.has('email') ? safe` (${object.text('email')})` : NOTHING),
  },
  subscription: {
    name: 'Subscription',
    page: 'subscriptions',
    about: (object) => {
      const status = object.textOr('status', '');
      return status === '' ? NOTHING : safe`, status ${status.replaceAll('_', ' ')}`;
    },
  },
  invoice: {
    name: 'Invoice',
    page: 'invoices',
    about: (object) => safe`, total ${amountOf(object, 'total')}`,
  },
  invoiceitem: {
    name: 'Invoice item',
    page: 'invoiceitems',
    about: (object) => safe` of ${amountOf(object)}`,
  },
  'checkout.session': { name: 'Checkout', page: 'payments' },
};

/** Events that say what others say, or that come with each change. */
const QUIET =
  /^(?:account|balance|capability|person|radar|reporting)\.|^payment_method\.(?:attached|detached|updated)$|^payment_intent\.created$/;

function kindOf(call: IntegrationCall, type: string): Kind {
  const name = call.payload.textOr('data.object.object', '');
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (!kind) throw call.unsupported(type);
  return kind;
}

/** Stripe. */
export const STRIPE: Integration = {
  name: 'stripe',
  displayName: 'Stripe',
  about: 'Charges, payments, disputes, refunds, payouts, customers, subscriptions, invoices and checkouts.',
  events: [
    'charge.*',
    'checkout.session.*',
    'customer.*',
    'invoice.*',
    'invoiceitem.*',
    'payment_intent.*',
    'payout.*',
    'refund.*',
  ],
  read(call): IntegrationPost | null {
    const { payload } = call;
    const type = payload.text('type');
    if (QUIET.test(type)) return null;
    const object = payload.object('data.object');
    const kind = kindOf(call, type);
    const did = (type.split('.').at(-1) ?? '').replaceAll('_', ' ');
    const id = object.textOr('id', '');
    const test = payload.is('livemode', false) ? '/test' : '';
    const named =
      id === ''
        ? safe`${kind.name}`
        : link(kind.name, `${DASHBOARD}${test}/${kind.page}/${encodeURIComponent(id)}`);
    const customer = typeof object.at('customer').value === 'string' ? object.text('customer') : '';
    const whose =
      customer === ''
        ? NOTHING
        : safe`Customer: ${link(customer, `${DASHBOARD}${test}/customers/${encodeURIComponent(customer)}`)}`;
    const sentence = safe`${named}${kind.about?.(object) ?? NOTHING}: ${bold(did)}.`;
    return { event: type, topic: customer || `${kind.name}s`, content: joined([sentence, whose], '\n') };
  },
};
