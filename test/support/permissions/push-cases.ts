import { TransactionService } from '../../../src/platform/database/transaction.service';
import { BrowserClient } from '../browser-client';
import { newReceiver } from '../push-receiver';
import type { CaseTable, World } from './case';
import type { Target } from './outcome';
import { on, plain, type MakeTarget } from './plain-cases';

let made = 0;

const subscription = () => {
  const { pair, auth } = newReceiver();
  return {
    endpoint: `https://127.0.0.1/push/${++made}`,
    p256dh: pair.getPublicKey().toString('base64url'),
    auth: auth.toString('base64url'),
  };
};

/** A person's browser, whose push service is unreachable. */
async function subscriptionOf({ app }: World, { id }: Target): Promise<Target> {
  const { endpoint, p256dh, auth } = subscription();
  const row = `INSERT INTO web_push_subscription
    (user_id, session_token_id, endpoint, endpoint_hash, p256dh, auth, vapid_key, created_at)
    VALUES (?, 'none', ?, ?, ?, ?, 'none', 1) RETURNING id`;
  const values = [id, endpoint, endpoint, p256dh, auth];
  return app.get(TransactionService).run((tx) => tx.queryOne<{ id: number }>(row, values));
}

const SUBSCRIPTIONS: Readonly<Record<string, MakeTarget>> = {
  own: ({ account }, world) => subscriptionOf(world, account ?? world.host),
  "somebody else's": (_, world) => subscriptionOf(world, world.host),
};

/** Push subscriptions of browsers. */
export const PUSH_CASES: CaseTable = {
  'GET /web_push': plain({ '': ({ client }) => client.get('/web_push') }),
  'POST /web_push/subscriptions': plain({
    'with a session of their own': async ({ account, client }, { app }) => {
      const browser = new BrowserClient(app.nest);
      const signedIn = await browser.signIn(account?.email ?? 'nobody@example.com');
      if (signedIn.status !== 302) return client.post('/web_push/subscriptions', subscription());
      return browser.call('POST', '/json/web_push/subscriptions', subscription());
    },
    'without a session': ({ client }) => client.post('/web_push/subscriptions', subscription()),
  }),
  'PATCH /web_push/subscriptions/{subscription_id}': on(SUBSCRIPTIONS, ({ client }, { id }) =>
    client.patch(`/web_push/subscriptions/${id}`, { quiet_until: 4_000_000_000 }),
  ),
  'DELETE /web_push/subscriptions/{subscription_id}': on(SUBSCRIPTIONS, ({ client }, { id }) =>
    client.delete(`/web_push/subscriptions/${id}`),
  ),
  'POST /web_push/subscriptions/{subscription_id}/test': on(SUBSCRIPTIONS, ({ client }, { id }) =>
    client.post(`/web_push/subscriptions/${id}/test`),
  ),
};
