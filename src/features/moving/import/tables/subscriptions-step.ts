import { addTo } from '../../../../platform/collections';
import type { Transaction } from '../../../../platform/database/transaction.service';
import { insertRows, type NewRow } from '../../../../platform/sql/insert-rows';
import { RowUnusable } from '../records/archive-row';
import { type ImportContext, type ImportStep, Unique, usableRows } from './import-context';

/** Entries of the archive's log. */
const CAME = new Set([301, 302]);
const WENT = new Set([303]);
const DEACTIVATED = 103;

const NO_COLOR = '#c2c2c2';

/** Who is subscribed to which channel, and which messages each has received therefore. */
export class SubscriptionsStep implements ImportStep {
  readonly name = 'subscriptions';

  async prepare(context: ImportContext): Promise<(tx: Transaction) => Promise<void>> {
    const rows = await subscriptions(context);
    const periods = await subscriptionPeriods(context, rows);
    return async (tx) => {
      await insertRows(tx, 'subscription', rows);
      await insertRows(tx, 'subscription_period', periods);
    };
  }
}

interface Subscription extends Record<string, NewRow[string]> {
  readonly user_id: number;
  readonly channel_id: number;
  readonly is_active: boolean;
}

function subscriptions(context: ImportContext): Promise<Subscription[]> {
  const { survey } = context;
  const unique = new Unique();
  return usableRows(context, ['zerver_subscription'], (row): Subscription | null => {
    const recipient = survey.recipient(row.id('recipient'));
    // Everybody has a subscription to themselves and to their conversations.
    if (!('channelId' in recipient)) return null;
    const userId = survey.accounts.get(row.id('user_profile'));
    unique.require(userId, recipient.channelId);
    const color = row.optionalText('color') ?? '';
    return {
      user_id: userId,
      channel_id: recipient.channelId,
      is_active: row.flag('active'),
      color: /^#[0-9a-f]{6}$/i.test(color) ? color : NO_COLOR,
      is_muted: row.flag('is_muted'),
      is_pinned: row.flag('pin_to_top'),
      desktop_notifications: row.optionalFlag('desktop_notifications'),
      audible_notifications: row.optionalFlag('audible_notifications'),
      push_notifications: row.optionalFlag('push_notifications'),
      email_notifications: row.optionalFlag('email_notifications'),
      wildcard_mentions_notify: row.optionalFlag('wildcard_mentions_notify'),
    };
  });
}

interface Change {
  readonly isComing: boolean;
  /** The last message before it, by its new ID. */
  readonly after: number;
}

interface Period {
  first: number;
  last: number | null;
}

/** Periods as the archive's log tells them, open exactly where an active account is subscribed. */
async function subscriptionPeriods(context: ImportContext, rows: readonly Subscription[]): Promise<NewRow[]> {
  const { survey } = context;
  const changes = new Map<string, Change[]>();
  const goneAt = new Map<number, number>();
  await usableRows(context, ['zerver_realmauditlog'], (row) => {
    const type = row.id('event_type');
    if (type === DEACTIVATED && row.has('modified_user')) {
      const id = survey.accounts.find(row.id('modified_user'));
      if (id !== null)
        goneAt.set(id, Math.max(goneAt.get(id) ?? 0, survey.messages.upToTime(row.time('event_time'))));
    }
    if (!CAME.has(type) && !WENT.has(type)) return null;
    const key = `${survey.accounts.get(row.id('modified_user'))} ${survey.channels.get(row.id('modified_stream'))}`;
    const newest = row.value('event_last_message_id');
    if (newest !== null && !Number.isSafeInteger(newest)) throw new RowUnusable('It names no message.');
    const after =
      newest === null
        ? survey.messages.upToTime(row.time('event_time'))
        : survey.messages.upTo(newest as number);
    addTo(changes, key, { isComing: CAME.has(type), after });
    return null;
  });
  return rows.flatMap(({ user_id: userId, channel_id: channelId, is_active: isSubscribed }) => {
    const isActive = survey.active.has(userId) || userId === context.local.ownerId;
    const periods = periodsOf(changes.get(`${userId} ${channelId}`) ?? [], survey.messages.base);
    const last = periods.at(-1);
    if (isSubscribed && isActive) {
      if (last?.last !== null) periods.push({ first: (last?.last ?? survey.messages.base) + 1, last: null });
    } else if (last?.last === null)
      last.last = isSubscribed ? (goneAt.get(userId) ?? survey.messages.last) : survey.messages.last;
    return periods
      .filter((period) => period.last === null || period.last >= period.first)
      .map((period) => ({
        user_id: userId,
        channel_id: channelId,
        first_message_id: period.first,
        last_message_id: period.last,
      }));
  });
}

function periodsOf(changes: readonly Change[], base: number): Period[] {
  const periods: Period[] = [];
  let upTo = base;
  for (const { isComing, after } of changes) {
    const open = periods.at(-1)?.last === null ? periods.at(-1) : undefined;
    const at = Math.max(after, upTo);
    if (isComing && !open) periods.push({ first: at + 1, last: null });
    if (!isComing && open) open.last = at;
    upTo = at;
  }
  return periods;
}
