import { insertRows, type NewRow } from '../../../../platform/sql/entity-rows';
import { wordKey } from '../../../personal/personal.module';
import { topicKey, TopicVisibility, visibleTopic } from '../../../channels/channels.module';
import { type ArchiveRow, cutText, RowUnusable } from '../records/archive-row';
import { newToken } from './extras-step';
import { type ImportContext, type ImportStep, type PreparedStep, Unique, usableRows } from './import-context';

const MAX_WORD_LENGTH = 100;
const MAX_TOPIC_LENGTH = 60;
const MAX_TITLE_LENGTH = 60;
const MAX_SNIPPET_LENGTH = 10_000;
const MAX_STATUS_LENGTH = 60;

const POLICIES: readonly number[] = Object.values(TopicVisibility).filter((policy) => policy > 0);

/** Private data of people, and the storage of bots. */
export class PersonalStep implements ImportStep {
  readonly name = 'personal';

  async prepare(context: ImportContext): Promise<PreparedStep> {
    const written: [table: string, rows: NewRow[]][] = [
      ['alert_word', await alertWords(context)],
      ['muted_user', await mutedUsers(context)],
      ['user_topic', await userTopics(context)],
      ['user_status', await statuses(context)],
      ['saved_snippet', await snippets(context)],
      ['onboarding_step', await onboardingSteps(context)],
      ['bot_service', await botServices(context)],
      ['bot_storage', await botStorage(context)],
    ];
    await usableRows(context, ['zerver_botconfigdata'], () => {
      throw new RowUnusable('Configurations of bots are not taken over.');
    });
    return async (tx) => {
      for (const [table, rows] of written) await insertRows(tx, table, rows);
    };
  }
}

function personOf({ survey }: ImportContext, row: ArchiveRow, field = 'user_profile'): number {
  return survey.accounts.get(row.id(field));
}

function alertWords(context: ImportContext): Promise<NewRow[]> {
  const unique = new Unique();
  return usableRows(context, ['zerver_alertword'], (row) => {
    const userId = personOf(context, row);
    const word = row.text('word').trim();
    if (word === '' || word.length > MAX_WORD_LENGTH) throw new RowUnusable('The word is empty or too long.');
    unique.require(userId, wordKey(word));
    return { user_id: userId, word, word_key: wordKey(word) };
  });
}

function mutedUsers(context: ImportContext): Promise<NewRow[]> {
  const unique = new Unique();
  return usableRows(context, ['zerver_muteduser'], (row) => {
    const userId = personOf(context, row);
    const mutedId = personOf(context, row, 'muted_user');
    if (userId === mutedId) throw new RowUnusable('Users cannot mute themselves.');
    unique.require(userId, mutedId);
    return { user_id: userId, muted_user_id: mutedId, muted_at: row.seconds('date_muted') };
  });
}

function userTopics(context: ImportContext): Promise<NewRow[]> {
  const unique = new Unique();
  return usableRows(context, ['zerver_usertopic'], (row) => {
    const policy = row.id('visibility_policy');
    // Zero means that an earlier policy was removed.
    if (policy === 0) return null;
    if (!POLICIES.includes(policy)) throw new RowUnusable('The policy does not exist here.');
    const place = {
      user_id: personOf(context, row),
      channel_id: context.survey.channels.get(row.id('stream')),
    };
    const name = cutText(visibleTopic(row.text('topic_name')), MAX_TOPIC_LENGTH);
    unique.require(place.user_id, place.channel_id, topicKey(name));
    const lastUpdated = row.seconds('last_updated');
    return {
      ...{ ...place, topic_key: topicKey(name), topic_name: name },
      ...{ visibility_policy: policy, last_updated: lastUpdated },
    };
  });
}

function statuses(context: ImportContext): Promise<NewRow[]> {
  const unique = new Unique();
  return usableRows(context, ['zerver_userstatus'], (row) => {
    const userId = personOf(context, row);
    const text = cutText((row.optionalText('status_text') ?? '').trim(), MAX_STATUS_LENGTH);
    const emojiName = row.optionalText('emoji_name') ?? '';
    if (text === '' && emojiName === '') return null;
    unique.require(userId);
    const emoji = emojiName === '' ? NO_EMOJI : emojiOf(context, row);
    return { user_id: userId, status_text: text, ...emoji };
  });
}

const NO_EMOJI = { emoji_name: '', emoji_code: '', emoji_type: '' };

/** The emoji of a row. The code of a custom emoji is an ID. */
export function emojiOf(
  { survey }: ImportContext,
  row: ArchiveRow,
): {
  emoji_name: string;
  emoji_code: string;
  emoji_type: string;
} {
  const type = row.text('reaction_type');
  const code = row.text('emoji_code');
  const name = row.text('emoji_name');
  if (name === '' || name.length > 100) throw new RowUnusable('The emoji has no name.');
  if (type === 'realm_emoji') {
    if (!/^\d{1,15}$/.test(code)) throw new RowUnusable('The emoji does not exist.');
    return { emoji_name: name, emoji_code: String(survey.emoji.get(Number(code))), emoji_type: type };
  }
  const isKnown =
    type === 'unicode_emoji' ? /^[0-9a-f]{2,6}(-[0-9a-f]{2,6}){0,9}$/.test(code) : code === 'zulip';
  if (!isKnown || (type !== 'unicode_emoji' && type !== 'zulip_extra_emoji'))
    throw new RowUnusable('The emoji does not exist.');
  return { emoji_name: name, emoji_code: code, emoji_type: type };
}

function snippets(context: ImportContext): Promise<NewRow[]> {
  return usableRows(context, ['zerver_savedsnippet'], (row) => ({
    user_id: personOf(context, row),
    title: cutText(row.text('title'), MAX_TITLE_LENGTH),
    content: cutText(row.text('content'), MAX_SNIPPET_LENGTH),
    created_at: row.seconds('date_created'),
  }));
}

function onboardingSteps(context: ImportContext): Promise<NewRow[]> {
  const unique = new Unique();
  return usableRows(context, ['zerver_onboardingstep'], (row) => {
    const userId = personOf(context, row, 'user');
    const step = cutText(row.text('onboarding_step'), MAX_WORD_LENGTH);
    unique.require(userId, step);
    return { user_id: userId, step };
  });
}

const OUTGOING_WEBHOOK = 3;

/** Outgoing webhooks with new tokens; bots without a URL in the archive get an unusable one. */
async function botServices(context: ImportContext): Promise<NewRow[]> {
  const services = new Map<number, NewRow>();
  await usableRows(context, ['zerver_service'], (row) => {
    const botId = personOf(context, row);
    const url = row.text('base_url');
    if (!/^https?:\/\//i.test(url) || url.length > 2048)
      throw new RowUnusable('Its address cannot be called.');
    if (services.has(botId)) throw new RowUnusable('The bot has another address to call.');
    services.set(botId, {
      name: cutText(row.text('name'), MAX_WORD_LENGTH),
      payload_url: url,
      interface: row.number('interface', { min: 1, max: 2, otherwise: 1 }),
    });
    context.ledger.note('replaced', row.table, row.name, 'The bot calls with a new token.');
    return null;
  });
  return usableRows(context, ['zerver_userprofile', 'zerver_userprofile_mirrordummy'], (row) => {
    if (!row.flag('is_bot') || row.value('bot_type') !== OUTGOING_WEBHOOK) return null;
    const id = personOf(context, row, 'id');
    const service = services.get(id);
    if (!service) context.ledger.note('changed', row.table, row.name, 'The bot has no address to call.');
    const { name, payload_url, interface: kind } = service ?? UNUSABLE;
    return {
      bot_id: id,
      name: name ?? '',
      payload_url: payload_url ?? '',
      token: newToken(),
      interface: kind ?? 1,
      config: '{}',
    };
  });
}

const UNUSABLE: NewRow = { name: 'unknown', payload_url: 'https://example.invalid/', interface: 1 };

function botStorage(context: ImportContext): Promise<NewRow[]> {
  const unique = new Unique();
  return usableRows(context, ['zerver_botstoragedata'], (row) => {
    const entry = {
      bot_id: personOf(context, row, 'bot_profile'),
      key: row.text('key'),
      value: row.text('value'),
    };
    if (!context.survey.bots.has(entry.bot_id)) throw new RowUnusable('It belongs to no bot.');
    unique.require(entry.bot_id, entry.key);
    return entry;
  });
}
