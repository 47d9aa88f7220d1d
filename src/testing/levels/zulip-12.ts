import { formerBotEvents } from './client-memory';
import {
  consentsWithoutVisibility,
  exportRecords,
  exportTypeAsNumber,
  exportTypeByNumber,
  isNamed,
  newAnswerKeys,
  newCapability,
  newEvents,
  newKeys,
  newLinkifierKeys,
  newParameters,
  newParameterValue,
  newProfileFieldKeys,
  newRoutes,
  newStateKeys,
  objectIn,
  objectsIn,
  otherValue,
  without,
} from './records';
import {
  type RequestValues,
  type Json,
  type LevelChange,
  type LevelContext,
  since,
  unchanged,
} from './level-change';
import { newNarrowTerms } from './narrows';
import {
  newChannelSettings,
  newOrganizationSettings,
  newPersonalSettings,
  newPersonalSettingValue,
  organizationUpdate,
  renamedOrganizationSetting,
} from './settings';
import { formerSettingsEvents } from './settings-events';

/** The levels of Zulip 12.0, and the one after it. */
export const ZULIP_12: readonly LevelChange[] = [
  unchanged(422, 'reserved, no change'),
  unchanged(423, 'reserved, no change'),
  unchanged(424, 'reserved, no change'),
  unchanged(425, 'reserved, no change'),
  since(426, { state: withZephyr }),
  since(427, { state: formerNameOfCreator }),
  unchanged(428, 'as 377, for archived channels'),
  unchanged(429, 'payloads of push notifications: none are sent'),
  since(430, { answers: { 'GET /export/realm/consents': consentsWithoutVisibility } }),
  since(431, newPersonalSettings('web_inbox_show_channel_folders')),
  unchanged(432, '`push_key` of `POST /mobile_push/register`: the form of 468 replaced it'),
  since(433, newKeys('user', 'is_imported_stub'), newAnswerKeys('GET /users/me', 'is_imported_stub')),
  since(434, newOrganizationSettings('send_channel_events_messages')),
  since(435, newStateKeys('server_report_message_types')),
  unchanged(436, 'messages of emoji alone are shown larger: clients do that'),
  since(437, { html: inlineImagesAsPreviews }),
  since(438, newOrganizationSettings('owner_full_content_access')),
  since(439, formerSettingsEvents()),
  since(440, newRoutes('GET /users/{user_id}/channels')),
  since(441, newChannelSettings('can_create_topic_group')),
  since(442, newStateKeys('tenor_api_key')),
  since(443, { records: { attachment: timesInMilliseconds } }),
  since(444, newParameters('PATCH /settings', 'target_users')),
  since(
    445,
    newParameters('GET /messages', 'anchor_date'),
    newParameterValue('GET /messages', 'anchor', 'date'),
  ),
  since(446, newNarrowTerms('mentions')),
  since(447, newParameters('PATCH /bots/{bot_id}', 'short_name')),
  unchanged(448, 'who sees the address of a channel: permissions are the same at every level'),
  since(449, { asks: { 'POST /export/realm': exportTypeByNumber } }, exportRecords(exportTypeAsNumber)),
  unchanged(450, '`push_account_id` is an integer: the form of 468 replaced it'),
  since(451, { html: invalidTimesAsErrors }),
  since(452, { event: withoutExpiry }),
  since(
    453,
    renamedOrganizationSetting('giphy_rating', 'gif_rating_policy'),
    newStateKeys('gif_rating_policy_options'),
  ),
  since(
    454,
    otherValue('personal settings', 'web_home_view', (view) => (view === 'recent' ? 'recent_topics' : view)),
    newPersonalSettingValue('web_home_view', 'recent'),
    { event: formerNameOfHomeView },
  ),
  since(455, newProfileFieldKeys('use_for_user_matching')),
  since(456, newOrganizationSettings('default_avatar_source')),
  unchanged(457, '`delete_message` for deleters who may read it: recipients are the same at every level'),
  unchanged(458, 'channels and groups of bots can be read: permissions are the same at every level'),
  since(459, newParameters('DELETE /users/{user_id}', 'actions')),
  unchanged(460, 'another provider of calls: there are no calls'),
  unchanged(461, '`realm_bot/update` for a new address: undone at 474, no release lies between'),
  unchanged(462, '`rendered_description`: replaced at 464, no release lies between'),
  since(463, newRoutes('GET /bots/{bot_id}/api_key')),
  since(464, newStateKeys('realm_rendered_description'), { event: descriptionAlone }),
  unchanged(465, 'another provider of calls: there are no calls'),
  since(466, newStateKeys('realm_uuid')),
  unchanged(467, 'images of other sites are not shown: rendering is the same at every level'),
  since(
    468,
    newRoutes('POST /register_client_device', 'POST /mobile_push/register'),
    newStateKeys('devices'),
    { state: withoutPushDevices },
    newEvents('device'),
  ),
  since(469, newOrganizationSettings('media_preview_size')),
  since(470, newRoutes('POST /remove_client_device')),
  since(471, newLinkifierKeys('example_input', 'reverse_template')),
  since(472, { records: { attachment: messagesWithTimes } }),
  unchanged(473, 'administrator bots set the status of others: permissions are the same at every level'),
  since(474, { records: { bot: withAccount } }, formerBotEvents()),
  since(475, { event: withoutFirstSignIn }),
  unchanged(476, '`display_in_profile_summary` of paragraphs: permissions are the same at every level'),
  since(477, newOrganizationSettings('workplace_users_group')),
  since(478, newLinkifierKeys('alternative_url_templates')),
  since(479, newRoutes('GET /thumbnail/status/{realm}/{folder}/{key}/{name}'), {
    state: formerProfileFieldTypes,
  }),
  since(480, {
    refuses: { 'GET /streams/{stream_id}': ifArchived, 'GET /users/me/{stream_id}/topics': ifArchived },
  }),
  since(481, newParameters('POST /register', 'idle_queue_timeout'), newStateKeys('idle_queue_timeout_secs')),
  unchanged(482, 'other numbers in `recipient_id`: clients only compare them, see 327'),
  unchanged(483, 'older registrations for push notifications are dropped: none are sent'),
  unchanged(484, '`reaction` events without `user`: they have it at every level, for current clients'),
  unchanged(485, '`input_type` in `url_options`: they are empty'),
  since(486, newStateKeys('klipy_api_key')),
  since(487, { answers: { 'GET /users/{user}/presence': withoutTotals } }),
  since(488, {
    answers: {
      'GET /server_settings': (answer) => without(objectIn(answer, 'authentication_methods'), ['discord']),
    },
  }),
  since(489, newNarrowTerms('channels:archived')),
  since(490, newKeys('user', 'is_deleted'), newAnswerKeys('GET /users/me', 'is_deleted')),
  since(491, newCapability('individual_emoji_changes')),
  unchanged(492, 'a new API key removes devices: effects are the same at every level'),
  since(493, newStateKeys('has_webex_token')),
  unchanged(494, '`/bot_storage` is for bots alone: permissions are the same at every level'),
  since(495, { html: (html) => html.replace(QUICKTIME_PREVIEW, '') }),
  unchanged(496, 'bots change user groups: permissions are the same at every level'),
  since(497, newAnswerKeys('GET /users/{user}/presence', 'server_timestamp'), {
    onlyFrom: 487,
    answers: {
      'GET /users/{user}/presence': (answer) =>
        without(objectIn(answer, 'presence'), ['aggregated', 'website']),
    },
  }),
];

function withZephyr(state: Json): void {
  if ('realm_name' in state) state['realm_is_zephyr_mirror_realm'] = false;
}

function formerNameOfCreator(state: Json): void {
  const settings = objectIn(objectIn(state, 'server_supported_permission_settings'), 'stream');
  for (const setting of Object.values(settings) as Json[]) {
    if (setting['default_group_name'] === 'channel_creator')
      setting['default_group_name'] = 'stream_creator_or_nobody';
  }
}

const INLINE_IMAGE = /<img [^>]*class="inline-image"[^>]*>/g;

/** Images were links, with previews below the paragraph. */
function inlineImagesAsPreviews(html: string): string {
  const inParagraphs = html.replace(/<p>(?:(?!<\/p>).)*<\/p>/gs, (paragraph) => {
    const previews = [...paragraph.matchAll(INLINE_IMAGE)].map(([tag]) => linkAndPreview(tag).preview);
    return paragraph.replace(INLINE_IMAGE, (tag) => linkAndPreview(tag).link) + previews.join('');
  });
  return inParagraphs.replace(INLINE_IMAGE, (tag) => linkAndPreview(tag).link + linkAndPreview(tag).preview);
}

function linkAndPreview(tag: string): { link: string; preview: string } {
  const [alt, original] = [attribute(tag, 'alt'), attribute(tag, 'data-original-src')];
  const image = tag.replace(/ (alt|class|data-original-src)="[^"]*"/g, '');
  const preview = `<div class="message_inline_image"><a href="${original}" title="${alt}">${image}</a></div>`;
  return { link: `<a href="${original}">${alt}</a>`, preview };
}

function attribute(tag: string, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}

function timesInMilliseconds(file: Json): void {
  if ('create_time' in file) file['create_time'] = Number(file['create_time']) * 1_000;
  for (const message of objectsIn(file, 'messages'))
    message['date_sent'] = Number(message['date_sent']) * 1_000;
}

/** An invalid time; or code, which has none. */
const TIME_OR_CODE = /<code>.*?<\/code>|<pre>.*?<\/pre>|&lt;time:((?:(?!&gt;)[^<\n])+)&gt;/gs;

/** An invalid `<time:…>` was an error; today it stays unchanged. */
function invalidTimesAsErrors(html: string): string {
  return html.replace(TIME_OR_CODE, (all: string, time: string | undefined) =>
    time === undefined ? all : `<span class="timestamp-error">Invalid time format: ${time}</span>`,
  );
}

/** Expired messages were deleted without an event. */
function withoutExpiry(event: Json, context: LevelContext): Json | null {
  if (!isNamed(event, 'delete_message')) return event;
  const ids = (event['message_ids'] ?? [event['message_id']]) as number[];
  return ids.every((id) => context.hasExpired(id)) ? null : event;
}

function formerNameOfHomeView(event: Json): Json {
  const isRecent = event['property'] === 'web_home_view' && event['value'] === 'recent';
  return isRecent ? { ...event, value: 'recent_topics' } : event;
}

/** A new description was sent without its HTML, in a separate event. */
function descriptionAlone(event: Json): Json {
  const { description, rendered_description: html } = objectIn(event, 'data');
  if (!isNamed(event, 'realm/update_dict') || html === undefined) return event;
  return organizationUpdate(event, 'description', description);
}

/** `push_devices` has the contents of `devices`. Older clients cannot register devices, so it is empty. */
function withoutPushDevices(state: Json): void {
  if ('realm_name' in state) state['push_devices'] = {};
}

async function messagesWithTimes(file: Json, context: LevelContext): Promise<void> {
  const ids = file['message_ids'];
  if (!Array.isArray(ids)) return;
  const times = await context.sentAt(ids as number[]);
  delete file['message_ids'];
  file['messages'] = (ids as number[]).map((id) => ({ id, ['date_sent']: times.get(id) ?? 0 }));
}

/** Records of bots repeated those of users. */
function withAccount(bot: Json, context: LevelContext): void {
  if ('services' in bot) Object.assign(bot, context.account(Number(bot['user_id'])));
}

/** The first sign-in did not change `date_joined`. */
function withoutFirstSignIn(event: Json): Json | null {
  if (!isNamed(event, 'realm_user/update')) return event;
  const keys = Object.keys(objectIn(event, 'person')).filter((key) => key !== 'user_id');
  return keys.length === 1 && keys[0] === 'date_joined' ? null : event;
}

/** Archived channels could not be fetched. */
function ifArchived({ ids: [id = 0] }: RequestValues, context: LevelContext): string | null {
  return context.channel(id)?.isArchived ? 'Invalid channel ID' : null;
}

/** The types were named `LONG_TEXT` and `SELECT`, which still exist. */
function formerProfileFieldTypes(state: Json): void {
  without(objectIn(state, 'custom_profile_field_types'), ['PARAGRAPH', 'DROPDOWN']);
}

/** Presence was reported only per client. */
function withoutTotals(answer: Json): void {
  without(objectIn(answer, 'presence'), ['active_timestamp', 'idle_timestamp']);
}

const QUICKTIME_PREVIEW =
  /<div class="message_inline_image message_inline_video"><a href="[^"]*\.mov"[^>]*>.*?<\/a><\/div>/gi;
