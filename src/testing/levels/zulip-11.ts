import { declareCapability } from './client-memory';
import {
  type RequestValues,
  type ChangePart,
  type Json,
  type LevelChange,
  type LevelContext,
  since,
  unchanged,
} from './level-change';
import {
  booleanBefore,
  newChannelSettings,
  newOrganizationSettings,
  newPersonalSettings,
  newPersonalSettingValue,
  organizationUpdate,
} from './settings';
import {
  activeAmong,
  INVITATIONS,
  isNamed,
  newAnswerKeys,
  newCapability,
  newEvents,
  newKeys,
  newParameters,
  newParameterValue,
  newRoutes,
  newStateKeys,
  objectIn,
  objectsIn,
  otherValue,
  parsed,
  without,
} from './records';

const LISTS = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'] as const;

/**
 * No client knew archived channels: archiving removed a channel, yet changes of it were reported. Today, such events go
 * only to clients that declare support, so this declares it for all clients.
 */
function archivedChannelsAsGone(): ChangePart {
  return {
    asks: { 'POST /register': (parameters) => declareCapability(parameters, 'archived_channels') },
    state: withoutArchived,
    event: archivingAsDeletion,
  };
}

function withoutArchived(state: Json, context: LevelContext): void {
  const isThere = ({ stream_id: id }: Json) => !context.channel(Number(id))?.isArchived;
  for (const list of LISTS) if (list in state) state[list] = objectsIn(state, list).filter(isThere);
  const unread = objectIn(state, 'unread_msgs');
  const topics = objectsIn(unread, 'streams');
  const gone = new Set(topics.filter((topic) => !isThere(topic)).flatMap((topic) => messagesOf(topic)));
  if (gone.size === 0) return;
  unread['streams'] = topics.filter(isThere);
  unread['count'] = Number(unread['count']) - gone.size;
  unread['mentions'] = (unread['mentions'] as number[]).filter((id) => !gone.has(id));
}

function messagesOf(topic: Json): number[] {
  return topic['unread_message_ids'] as number[];
}

/** No request could unarchive a channel, so no event reports that. */
function archivingAsDeletion(event: Json): Json | null {
  const { property, value, stream_id: id } = event;
  if (!isNamed(event, 'stream/update') || property !== 'is_archived') return event;
  if (value !== true) return null;
  return {
    id: event['id'],
    type: 'stream',
    op: 'delete',
    ['streams']: [{ ['stream_id']: id }],
    ['stream_ids']: [id],
  };
}

/** The levels of Zulip 11.0. */
export const ZULIP_11: readonly LevelChange[] = [
  unchanged(373, 'reserved, no change'),
  unchanged(374, 'reserved, no change'),
  unchanged(375, 'reserved, no change'),
  unchanged(376, 'reserved, no change'),
  since(377, { event: withoutLeavingChannels }),
  since(378, archivedChannelsAsGone()),
  since(379, newParameters('PATCH /messages/{message_id}', 'prev_content_sha256')),
  since(380, { state: moderatorsOnly }),
  since(381, newRoutes('POST /reminders')),
  since(382, newRoutes('POST /messages/{message_id}/report')),
  since(
    383,
    newPersonalSettingValue('web_channel_default_view', '3'),
    otherValue('personal settings', 'web_channel_default_view', (view) => (view === 3 ? 1 : view)),
  ),
  since(384, newParameters('GET /users', 'user_ids')),
  since(385, newPersonalSettings('resolved_topic_notice_auto_read_policy')),
  since(386, newParameters('PATCH /user_groups/{user_group_id}', 'deactivated')),
  unchanged(387, '`GET /users` without an account: no test server is open to the web'),
  since(388, newParameters('PATCH /streams/{stream_id}', 'is_archived')),
  since(
    389,
    newRoutes(
      'GET /channel_folders',
      'POST /channel_folders/create',
      'PATCH /channel_folders/{channel_folder_id}',
    ),
    newStateKeys('channel_folders'),
    newEvents('channel_folder'),
    newChannelSettings('folder_id'),
  ),
  since(
    390,
    newRoutes(
      'GET /navigation_views',
      'POST /navigation_views',
      'PATCH /navigation_views/{fragment}',
      'DELETE /navigation_views/{fragment}',
    ),
    newStateKeys('navigation_views'),
    newEvents('navigation_view'),
  ),
  since(391, {
    refuses: {
      'POST /user_groups/{user_group_id}/members': changeOfDeactivatedGroup,
      'POST /user_groups/{user_group_id}/subgroups': changeOfDeactivatedGroup,
    },
  }),
  since(
    392,
    newChannelSettings('topics_policy'),
    newOrganizationSettings('topics_policy', 'can_set_topics_policy_group'),
    booleanBefore('topics_policy', 'mandatory_topics', ['disable_empty_topic', 'allow_empty_topic']),
    { event: mandatoryTopicsAlone },
  ),
  unchanged(393, 'message IDs ascend: they do at every level'),
  since(394, newKeys('channel', 'subscriber_count')),
  unchanged(395, 'albums of Dropbox have no preview: other sites are never asked for previews'),
  since(
    396,
    newChannelSettings('can_move_messages_within_channel_group', 'can_move_messages_out_of_channel_group'),
  ),
  since(
    397,
    newParameters('POST /users/me/subscriptions', 'send_new_subscription_messages'),
    newAnswerKeys('POST /users/me/subscriptions', 'new_subscription_messages_sent'),
    newStateKeys('max_bulk_new_subscription_messages'),
  ),
  since(398, newPersonalSettings('web_left_sidebar_unreads_count_summary')),
  since(
    399,
    newRoutes('GET /reminders', 'DELETE /reminders/{reminder_id}'),
    newStateKeys('reminders'),
    newEvents('reminders'),
  ),
  since(400, { onlyFrom: 347, html: topicLinksToTheOldest }),
  since(
    401,
    newPersonalSettingValue('web_channel_default_view', '4'),
    otherValue('personal settings', 'web_channel_default_view', (view) => (view === 4 ? 1 : view)),
  ),
  since(402, newChannelSettings('can_resolve_topics_group')),
  since(403, { state: withoutUrlOptions }),
  unchanged(404, '`topics_policy` may be `empty_topic_only`: it came at 392, no release lies between'),
  since(405, { html: playersAsLinks }),
  since(406, newStateKeys('push_devices')),
  since(
    407,
    newChannelSettings('can_delete_any_message_group', 'can_delete_own_message_group'),
    newOrganizationSettings('can_set_delete_message_policy_group'),
    newRoutes('POST /users/{user_id}/status'),
  ),
  unchanged(408, 'reserved, no change'),
  since(409, newOrganizationSettings('require_e2ee_push_notifications')),
  since(410, newStateKeys('max_channel_folder_name_length', 'max_channel_folder_description_length')),
  since(411, newPersonalSettings('web_left_sidebar_show_channel_folders')),
  since(
    412,
    newParameterValue(['POST /register', 'GET /users/me/subscriptions'], 'include_subscribers', 'partial'),
  ),
  unchanged(413, 'payloads of push notifications: none are sent'),
  since(414, newKeys('channel folder', 'order'), newRoutes('PATCH /channel_folders')),
  since(415, newParameters('POST /reminders', 'note'), newStateKeys('max_reminder_note_length')),
  since(
    416,
    newOrganizationSettings('welcome_message_custom_text'),
    newParameters(INVITATIONS, 'welcome_message_custom_text'),
    newRoutes('POST /realm/test_welcome_bot_custom_message'),
  ),
  since(417, newRoutes('POST /channels/create')),
  since(418, newEvents('channel_folder/reorder')),
  since(419, newCapability('simplified_presence_events')),
  unchanged(420, '`POST /mobile_push/e2ee/test_notification`: no push notifications are sent'),
  unchanged(421, 'Zulip 11.0 was released'),
];

/** Deactivated users did not receive events about leaving their channels. */
function withoutLeavingChannels(event: Json, context: LevelContext): Json | null {
  return isNamed(event, 'subscription/peer_remove') ? activeAmong(event, context) : event;
}

const MEMBER_LISTS = ['add', 'delete', 'add_subgroups', 'delete_subgroups'];

/** Members and subgroups of deactivated groups remained. */
function changeOfDeactivatedGroup(
  { parameters, ids: [id = 0] }: RequestValues,
  context: LevelContext,
): string | null {
  const lists = MEMBER_LISTS.flatMap((name) => parameters.get(name) ?? []).map(parsed);
  const hasChange = lists.every(Array.isArray) && lists.flat().length > 0;
  return hasChange && context.isDeactivatedGroup(id) ? 'User group is deactivated.' : null;
}

/** `is_moderator` was false for administrators and owners. */
function moderatorsOnly(state: Json): void {
  if (state['is_admin'] === true || state['is_owner'] === true) state['is_moderator'] = false;
}

/** A change of `mandatory_topics` had a separate event. */
function mandatoryTopicsAlone(event: Json): Json {
  const data = objectIn(event, 'data');
  if (!isNamed(event, 'realm/update_dict') || !('mandatory_topics' in data)) return event;
  return organizationUpdate(event, 'mandatory_topics', data['mandatory_topics']);
}

function withoutUrlOptions(state: Json): void {
  for (const integration of objectsIn(state, 'realm_incoming_webhook_bots'))
    without(integration, ['url_options']);
}

const TOPIC_LINK = /(href="[^"]*\/topic\/[^"/]+\/with\/)(\d+)"/g;

/** Links to a topic referred to its oldest message instead of the newest; here, of those that the reader sees. */
async function topicLinksToTheOldest(html: string, context: LevelContext): Promise<string> {
  const { asker } = context;
  const ids = new Set([...html.matchAll(TOPIC_LINK)].map(([, , id]) => Number(id)));
  if (ids.size === 0 || asker === null) return html;
  const oldest = new Map<number, unknown>();
  for (const id of ids) {
    const narrow = JSON.stringify([{ operator: 'with', operand: id }]);
    const { messages } = await context.request(asker, {
      method: 'GET',
      path: '/messages',
      parameters: { anchor: 'oldest', num_before: 0, num_after: 1, narrow },
    });
    oldest.set(id, (messages as Json[] | undefined)?.[0]?.['id'] ?? id);
  }
  return html.replace(
    TOPIC_LINK,
    (_, start: string, id: string) => `${start}${String(oldest.get(Number(id)))}"`,
  );
}

const PLAYER = /<audio [^>]*src="([^"]*)"[^>]*title="([^"]*)"[^>]*><\/audio>/g;

function playersAsLinks(html: string): string {
  return html.replace(PLAYER, '<a href="$1">$2</a>');
}
