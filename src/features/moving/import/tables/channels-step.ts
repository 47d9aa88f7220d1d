import { type ImportContext, type ImportStep, type PreparedStep, Unique, usableRows } from './import-context';
import { addTo, keysOf } from '../../../../platform/collections';
import { insertRows, type NewRow } from '../../../../platform/sql/entity-rows';
import { CHANNEL_GROUP_SETTINGS, channelNameKey, folderNameKey } from '../../../channels/channels.module';
import { type ArchiveRow, cutText, RowUnusable } from '../records/archive-row';
import { usableChannelName } from '../records/usable-names';

const MAX_DESCRIPTION_LENGTH = 1024;

/** The archive's names of topic policies. */
const TOPICS_POLICIES = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'];

/** Groups that may post, by the policy numbers in archives of converters. */
const POST_POLICIES = ['role:everyone', 'role:administrators', 'role:fullmembers', 'role:moderators'];

const MAX_DAYS = 2 ** 31 - 1;

/** Channel folders and channels. Their descriptions are rendered later, once everyone they mention exists. */
export class ChannelsStep implements ImportStep {
  readonly name = 'channels';

  async prepare(context: ImportContext): Promise<PreparedStep> {
    const folders = await channelFolders(context);
    const defaults = new Set(
      await usableRows(context, ['zerver_defaultstream'], (row) =>
        context.survey.channels.get(row.id('stream')),
      ),
    );
    const later = new Map(
      await usableRows(context, ['parley_stream'], (row) => [row.id('stream'), row] as const),
    );
    const places = { names: new Unique(), defaults, folders: new Set(folders.map(({ id }) => id)) };
    const channels = await usableRows(context, ['zerver_stream'], (row) =>
      channelRow(context, row, { ...places, later: later.get(row.id()) ?? row }),
    );
    return async (tx) => {
      await insertRows(tx, 'channel_folder', folders);
      await insertRows(tx, 'channel', channels);
    };
  }
}

function channelFolders(context: ImportContext): Promise<NewRow[]> {
  const { survey } = context;
  const names = new Unique();
  return usableRows(context, ['zerver_channelfolder'], (row) => {
    const id = survey.folders.get(row.id());
    const name = freeName(context, row, names);
    return {
      id,
      name,
      name_key: folderNameKey(name),
      description: cutText(row.optionalText('description') ?? '', MAX_DESCRIPTION_LENGTH),
      rendered_description: '',
      creator_id: survey.accounts.find(row.optionalId('creator')),
      date_created: row.optionalSeconds('date_created') ?? 0,
      position: row.number('order', { min: 0, max: MAX_DAYS, otherwise: id }),
      is_archived: row.flag('is_archived'),
    };
  });
}

interface Surroundings {
  readonly names: Unique;
  /** New IDs of default channels. */
  readonly defaults: ReadonlySet<number>;
  readonly folders: ReadonlySet<unknown>;
  /** The row with the newer columns: the channel's own row in archives of later releases. */
  readonly later: ArchiveRow;
}

function channelRow(
  context: ImportContext,
  row: ArchiveRow,
  { names, defaults, folders, later }: Surroundings,
): NewRow {
  const { survey } = context;
  const id = survey.channels.get(row.id());
  const name = freeName(context, row, names);
  const isPrivate = row.flag('invite_only');
  const isArchived = row.flag('deactivated');
  const folder = survey.folders.find(later.optionalId('folder'));
  return {
    id,
    name,
    name_key: channelNameKey(name),
    description: cutText(row.optionalText('description') ?? '', MAX_DESCRIPTION_LENGTH).replace(/\n/g, ' '),
    rendered_description: '',
    date_created: row.seconds('date_created'),
    creator_id: survey.accounts.find(row.optionalId('creator')),
    is_private: isPrivate,
    is_web_public: row.flag('is_web_public') && !isPrivate,
    is_archived: isArchived,
    is_default: defaults.has(id) && !isPrivate && !isArchived,
    is_history_public_to_subscribers: !isPrivate || row.flag('history_public_to_subscribers'),
    message_retention_days: row.has('message_retention_days')
      ? row.number('message_retention_days', { min: -1, max: MAX_DAYS, otherwise: -1 })
      : null,
    topics_policy:
      TOPICS_POLICIES[later.number('topics_policy', { min: 1, max: 4, otherwise: 1 }) - 1] ?? 'inherit',
    first_message_id: null,
    folder_id: folders.has(folder) ? folder : null,
    last_message_at: null,
    ...permissions(context, row, later),
  };
}

function permissions(
  { survey, ledger, local }: ImportContext,
  row: ArchiveRow,
  later: ArchiveRow,
): Record<string, number> {
  const values = keysOf(CHANNEL_GROUP_SETTINGS).map((setting) => {
    // One release used another name.
    const given =
      row.optionalId(setting) ??
      later.optionalId(setting) ??
      (setting === 'can_create_topic_group' ? row.optionalId('can_create_topics_group') : null);
    const group = survey.groups.find(given);
    if (group !== null) return [setting, group];
    if (given !== null)
      ledger.note('replaced', row.table, row.name, `"${setting}" names no group; it is the usual one.`);
    const initial = CHANNEL_GROUP_SETTINGS[setting].default;
    const policy = row.number('stream_post_policy', { min: 1, max: 4, otherwise: 1 });
    const name =
      setting === 'can_send_message_group' && row.has('stream_post_policy')
        ? (POST_POLICIES[policy - 1] ?? initial)
        : initial;
    return [setting, local.systemGroups.get(name) ?? local.systemGroups.get('role:nobody')];
  });
  return Object.fromEntries(values) as Record<string, number>;
}

/** Makes a name unique, ignoring case, with the archive's ID as suffix. */
function freeName({ ledger }: ImportContext, row: ArchiveRow, names: Unique): string {
  const given = row.text('name');
  const name = usableChannelName(given, row.id(), (key) => names.has(key));
  names.require(channelNameKey(name));
  if (name !== given)
    ledger.note('changed', row.table, row.name, 'Its name is taken, or has a form that no name may have.');
  return name;
}

/** Types of the archive's log entries. */
const CAME = new Set([301, 302]);
const WENT = new Set([303]);
const DEACTIVATED = 103;

const NO_COLOR = '#c2c2c2';

/** Subscriptions to channels, and the periods that determine which messages each subscriber received. */
export class SubscriptionsStep implements ImportStep {
  readonly name = 'subscriptions';

  async prepare(context: ImportContext): Promise<PreparedStep> {
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
    // Rows of other recipients are not needed: everyone belongs to themselves and their conversations.
    if (!('channelId' in recipient)) return null;
    const userId = survey.accounts.get(row.id('user_profile'));
    if (survey.deleted.has(userId)) throw new RowUnusable('The person was deleted.');
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
  /** New ID of the last message before the change. */
  readonly after: number;
}

interface Period {
  first: number;
  last: number | null;
}

/** Periods according to the archive's log; the last one is open if and only if an active account is subscribed. */
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
