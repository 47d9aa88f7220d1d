import { newAnswerKeys, newStateKeys, parsed, without } from './records';
import { type RequestValues, type Difference, type Json, type LevelContext, refused } from './level-change';
import { formerSettingsState } from './settings-events';

const BOT_KEYS = ['bot_type', 'bot_owner_id'];

/** Behavior of Zulip, at every level that a difference names, in which Parley's own interface differs. */
export const ZULIP_ITSELF: readonly Difference[] = [
  // Levels from 439 on do not have the keys.
  { onlyTo: 438, ...formerSettingsState() },
  { records: { user: peopleWithoutBotKeys }, answers: { 'GET /users/me': peopleWithoutBotKeys } },
  { answers: { 'POST /messages/flags': allFlagged } },
  {
    onlyFrom: 355,
    answers: {
      'POST /messages/flags': withIgnoredChannels,
      'POST /messages/flags/narrow': withIgnoredChannels,
    },
  },
  {
    refuses: {
      'POST /users/me/subscriptions': ifRetentionIsBare,
      'PATCH /streams/{stream_id}': ifRetentionIsBare,
    },
  },
  { onlyFrom: 349, refusals: { 'DELETE /streams/{stream_id}': archivedByItsAdministrators } },
  { onlyFrom: 372, refusals: { 'DELETE /users/me/subscriptions': allMissingChannels } },
  {
    onlyFrom: 372,
    refusals: {
      'POST /messages': knownChannelOutOfReach,
      'POST /scheduled_messages': knownChannelOutOfReach,
    },
  },
  { onlyFrom: 356, asks: { 'GET /streams': activeAsAll } },
  { onlyFrom: 372, onlyTo: 372, ...newStateKeys('can_subscribe_other_users') },
  newStateKeys('user_upload_quota_mib'),
  newAnswerKeys('GET /attachments', 'user_upload_space_used'),
];

/** Only bots had the keys. */
function peopleWithoutBotKeys(user: Json): void {
  if (user['is_bot'] === false) without(user, BOT_KEYS);
}

/** The IDs were those of the request, whatever was changed. */
function allFlagged(answer: Json, _context: LevelContext, { parameters }: RequestValues): void {
  answer['messages'] = JSON.parse(parameters.get('messages') ?? '[]') as unknown;
}

function withIgnoredChannels(answer: Json): void {
  answer['ignored_because_not_subscribed_channels'] ??= [];
}

/** Words had to be JSON strings. */
function ifRetentionIsBare({ parameters }: RequestValues): string | null {
  const days = parameters.get('message_retention_days');
  const isJson = days === undefined || parsed(days) !== null;
  return isJson ? null : 'message_retention_days["json[str]"] is not valid JSON';
}

/** All administrators of a channel could archive it. */
async function archivedByItsAdministrators(
  refusal: Json,
  context: LevelContext,
  { ids: [id = 0] }: RequestValues,
): Promise<Json | null> {
  const { asker } = context;
  if (refusal['code'] !== 'UNAUTHORIZED_PRINCIPAL' || asker === null) return null;
  const right = context.rightTo(asker, id);
  if (right === null) return refused('Invalid channel ID');
  if (right === 'see') return refused('You do not have permission to administer this channel.');
  return context.request(null, { method: 'DELETE', path: `/streams/${id}` });
}

/** The error named all channels that do not exist; inaccessible private ones counted as not left. */
async function allMissingChannels(
  refusal: Json,
  context: LevelContext,
  { parameters }: RequestValues,
): Promise<Json | null> {
  const { asker } = context;
  if (refusal['code'] !== 'STREAM_DOES_NOT_EXIST' || asker === null) return null;
  const names = (JSON.parse(parameters.get('subscriptions') ?? '[]') as string[]).map((name) => name.trim());
  const missing = names.filter((name) => !context.channelNamed(name));
  if (missing.length > 0) return refused(`Channel(s) (${missing.join(', ')}) do not exist`);
  const channels = new Map(names.map((name) => [context.channelNamed(name)?.id ?? 0, name]));
  const hidden = [...channels.keys()].filter((id) => context.rightTo(asker, id) === null);
  const seen = [...channels].filter(([id]) => !hidden.includes(id)).map(([, name]) => name);
  const answer = await context.request(asker, {
    method: 'DELETE',
    path: '/users/me/subscriptions',
    parameters: { ...Object.fromEntries(parameters), subscriptions: JSON.stringify(seen) },
  });
  if (answer['result'] !== 'success') return answer;
  const left = hidden.map((id) => context.channel(id)?.name);
  return { ...answer, ['not_removed']: [...(answer['not_removed'] as unknown[]), ...left] };
}

/** Everyone could request all active channels; the answer contained those they could see. */
function activeAsAll(parameters: Map<string, string>): void {
  if (parameters.get('include_all_active') !== 'true') return;
  parameters.delete('include_all_active');
  parameters.set('include_all', 'true');
}

/** A refusal to post revealed that the channel exists. */
function knownChannelOutOfReach(refusal: Json, context: LevelContext): Json | null {
  const { asker } = context;
  if (refusal['code'] !== 'STREAM_DOES_NOT_EXIST' || asker === null) return null;
  const { stream: name, stream_id: id } = refusal;
  const channel =
    typeof name === 'string' ? context.channelNamed(unescaped(name)) : context.channel(Number(id));
  const reason = channel && context.postingRefusal(asker, channel.id);
  return reason ? refused(reason) : null;
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function unescaped(html: string): string {
  return html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => CHARACTERS[name] ?? '');
}
