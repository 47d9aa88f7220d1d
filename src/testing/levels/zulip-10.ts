import { EMPTY_TOPIC_READS, emptyTopicAsBefore } from './client-memory';
import {
  exportRecords,
  INVITATIONS,
  isNamed,
  newAnswerKeys,
  newEvents,
  newKeys,
  newParameters,
  newProfileFieldKeys,
  newRoutes,
  newStateKeys,
  objectIn,
  objectsIn,
  without,
} from './records';
import { type Json, type LevelChange, type LevelContext, since, unchanged } from './level-change';
import { newNarrowTerms } from './narrows';
import {
  asOneGroup,
  booleanBefore,
  COMMON_POLICY,
  newChannelSettings,
  newChannelUpdates,
  newGroupSettings,
  newOrganizationSettings,
  newPersonalSettings,
  numberAsNew,
  policyBefore,
} from './settings';

const OR_EVERYONE = { ...COMMON_POLICY, 'role:everyone': 5 };
const OR_NOBODY = { ...COMMON_POLICY, 'role:nobody': 6 };

/** Organization settings with a single group. */
const ONE_GROUP = ['can_access_all_users_group', 'create_multiuse_invite_group'] as const;

/** The levels of Zulip 10.0. */
export const ZULIP_10: readonly LevelChange[] = [
  unchanged(279, 'reserved, no change'),
  since(
    280,
    ...policyBefore('can_create_web_public_channel_group', 'create_web_public_stream_policy', {
      'role:administrators': 2,
      'role:moderators': 4,
      'role:nobody': 6,
      'role:owners': 7,
    }),
  ),
  since(281, newOrganizationSettings('can_delete_any_message_group')),
  unchanged(282, '`POST /users/me/tutorial_status` is gone: there is no tutorial'),
  since(283, newGroupSettings('can_manage_group')),
  since(284, { records: { message: withVersions }, event: withVersion }),
  since(285, newAnswerKeys('PATCH /messages/{message_id}', 'detached_uploads')),
  since(286, newAnswerKeys('POST /user_uploads', 'filename')),
  unchanged(287, 'as 278'),
  since(
    288,
    newParameters('POST /users/me/presence', 'history_limit_days'),
    newParameters('POST /register', 'presence_history_limit_days'),
  ),
  since(289, { answers: { 'POST /users/me/subscriptions': subscribersByEmail } }),
  since(
    290,
    newRoutes('POST /user_groups/{user_group_id}/deactivate'),
    newGroupSettings('deactivated'),
    newParameters('GET /user_groups', 'include_deactivated_groups'),
  ),
  since(291, ...policyBefore('can_delete_own_message_group', 'delete_own_message_policy', OR_EVERYONE)),
  since(292, newKeys('group', 'creator_id', 'date_created')),
  since(293, newPersonalSettings('allow_private_data_export')),
  unchanged(294, '`include_deactivated_groups`: before 290 no group is deactivated, and none is deleted'),
  since(
    295,
    newRoutes(
      ...['OPTIONS /tus', 'POST /tus', 'OPTIONS /tus/', 'POST /tus/'],
      ...['OPTIONS', 'HEAD', 'PATCH', 'DELETE'].map((method) => `${method} /tus/{upload}`),
      'GET /export/realm/consents',
    ),
  ),
  since(296, newProfileFieldKeys('editable_by_user')),
  since(
    297,
    newRoutes('GET /saved_snippets', 'POST /saved_snippets', 'DELETE /saved_snippets/{saved_snippet_id}'),
    newStateKeys('saved_snippets'),
    newEvents('saved_snippets'),
  ),
  unchanged(298, '`CANNOT_DEACTIVATE_GROUP_IN_USE`: deactivation came at 290, no release lies between'),
  since(
    299,
    newOrganizationSettings('can_manage_all_groups'),
    ...policyBefore('can_create_groups', 'user_group_edit_policy'),
  ),
  since(300, newParameters('GET /messages', 'message_ids')),
  since(301, newGroupSettings('can_join_group')),
  unchanged(302, '`GET /users/{email}` finds real addresses: access is the same at every level'),
  unchanged(303, 'deactivated users are in no group: memberships are the same at every level'),
  since(
    304,
    newParameters('POST /export/realm', 'export_type'),
    exportRecords((record) => without(record, ['export_type'])),
  ),
  since(305, newGroupSettings('can_add_members_group')),
  unchanged(306, '`realm/update` without `extra_data` for a new plan: there are no plans'),
  since(307, ...policyBefore('can_add_custom_emoji_group', 'add_custom_emoji_policy')),
  since(308, newGroupSettings('can_leave_group')),
  unchanged(309, 'production servers store users and several groups in settings: 258, 314 and 320 hide them'),
  since(
    310,
    ...policyBefore(
      'can_move_messages_between_channels_group',
      'move_messages_between_streams_policy',
      OR_NOBODY,
    ),
  ),
  since(
    311,
    newParameters('POST /user_groups/create', 'subgroups'),
    newParameters('POST /user_groups/{user_group_id}/members', 'add_subgroups', 'delete_subgroups'),
  ),
  since(312, newEvents('realm_export_consent')),
  since(313, newRoutes('PATCH /users/{email}'), newParameters('PATCH /users/{user_id}', 'new_email')),
  since(314, numberAsNew('PATCH /realm', ...ONE_GROUP), { state: oneGroupEach, event: oneGroupEachInEvent }),
  since(315, newKeys('channel', 'is_archived'), newParameters('GET /streams', 'exclude_archived')),
  since(
    316,
    ...policyBefore('can_move_messages_between_topics_group', 'edit_topic_policy', {
      ...OR_EVERYONE,
      ...OR_NOBODY,
    }),
  ),
  since(317, newAnswerKeys('POST /user_groups/create', 'group_id')),
  since(318, { state: integrationOptionsAsObject }),
  since(319, { html: messageLinksAsTopicLinks }),
  since(320, numberAsNew('PATCH /streams/{stream_id}', 'can_remove_subscribers_group'), {
    records: { channel: (channel, context) => asOneGroup(channel, 'can_remove_subscribers_group', context) },
    event: oneGroupOfRemoversInEvent,
  }),
  since(321, ...policyBefore('can_invite_users_group', 'invite_to_realm_policy', OR_NOBODY)),
  since(322, newParameters(INVITATIONS, 'group_ids')),
  since(323, newKeys('channel', 'is_recently_active'), newChannelUpdates('is_recently_active')),
  since(324, newGroupSettings('can_remove_members_group')),
  since(325, newChannelSettings('can_administer_channel_group')),
  since(326, { state: permissionsWithFormerKeys }),
  since(327, { records: { message: incomingAsOneConversation } }),
  since(328, { records: { message: reactionsWithUsers } }),
  since(329, newPersonalSettings('web_suggest_update_timezone')),
  since(330, { state: defaultChannelsAsRecords, event: defaultChannelsAsRecordsInEvent }),
  since(331, newOrganizationSettings('moderation_request_channel_id')),
  since(
    332,
    newStateKeys('server_min_deactivated_realm_deletion_days', 'server_max_deactivated_realm_deletion_days'),
  ),
  since(333, newChannelSettings('can_send_message_group'), {
    asks: {
      'POST /users/me/subscriptions': postingPolicyAtCreation,
      'PATCH /streams/{stream_id}': postingPolicyAtUpdate,
    },
  }),
  since(
    334,
    newStateKeys('realm_empty_topic_display_name'),
    newParameters(EMPTY_TOPIC_READS, 'allow_empty_topic_name'),
    emptyTopicAsBefore(),
  ),
  since(335, newParameters('GET /streams/{stream_id}/email_address', 'sender_id')),
  since(336, { html: (html) => html.replace(/ data-original-content-type="[^"]*"/g, '') }),
  unchanged(337, '`voice_only`: there are no calls'),
  since(338, newStateKeys('password_max_length')),
  unchanged(339, '`reaction` events have `user` again: they have it at every level, for current clients'),
  unchanged(340, 'more changes to deactivated groups: permissions are the same at every level'),
  since(341, ...policyBefore('can_add_subscribers_group', 'invite_to_stream_policy')),
  since(342, newChannelSettings('can_add_subscribers_group')),
  since(343, { event: deletedChannelsAsRecords }),
  since(
    344,
    newOrganizationSettings('can_create_write_only_bots_group'),
    ...policyBefore('can_create_bots_group', 'bot_creation_policy', {
      'role:members': 1,
      'role:administrators': 3,
    }),
  ),
  unchanged(345, 'registration of a server for push notifications: there is no such service'),
  unchanged(346, 'links to the empty topic: rendering is the same at every level'),
  since(347, { html: (html) => html.replace(/(href="[^"]*\/topic\/[^"/]+)\/with\/\d+"/g, '$1"') }),
  since(348, newOrganizationSettings('enable_guest_user_dm_warning')),
  unchanged(349, 'rights of channel administrators: permissions are the same at every level'),
  since(
    350,
    newPersonalSettings('hide_ai_features'),
    newOrganizationSettings('can_summarize_topics_group'),
    newStateKeys('server_can_summarize_topics'),
  ),
  since(351, newRoutes('POST /messages/{message_id}/typing'), newEvents('typing_edit_message')),
  since(
    352,
    ...policyBefore('can_mention_many_users_group', 'wildcard_mention_policy', {
      'role:everyone': 1,
      'role:members': 2,
      'role:fullmembers': 3,
      'role:administrators': 5,
      'role:nobody': 6,
      'role:moderators': 7,
    }),
  ),
  unchanged(353, 'another provider of calls: there are no calls'),
  unchanged(354, 'access to content by groups allows more: permissions are the same at every level'),
  since(
    355,
    newAnswerKeys(
      ['POST /messages/flags', 'POST /messages/flags/narrow'],
      'ignored_because_not_subscribed_channels',
    ),
  ),
  since(356, newParameters('GET /streams', 'include_all', 'include_can_access_content')),
  since(357, newChannelSettings('can_subscribe_group')),
  since(
    358,
    newOrganizationSettings('message_edit_history_visibility_policy'),
    booleanBefore('message_edit_history_visibility_policy', 'allow_edit_history', ['all', 'none']),
  ),
  unchanged(359, 'bots keep their channels under a new owner: effects are the same at every level'),
  unchanged(360, 'messages of archived channels can be read: access is the same at every level'),
  unchanged(361, '`POST /messages/{message_id}/typing` moved: it came at 351, no release lies between'),
  unchanged(362, 'archived channels can be edited: permissions are the same at every level'),
  since(363, newOrganizationSettings('can_manage_billing_group'), newStateKeys('realm_billing'), {
    state: withBilling,
    records: { user: withBilling },
    answers: { 'GET /users/me': withBilling },
  }),
  since(364, { records: { 'personal settings': (settings) => void (settings['dense_mode'] = true) } }),
  since(365, { records: { message: moveAsEdit } }),
  since(366, newNarrowTerms('is:muted')),
  since(367, newOrganizationSettings('can_resolve_topics_group')),
  since(368, newRoutes('PATCH /saved_snippets/{saved_snippet_id}'), newEvents('saved_snippets/update')),
  since(369, newStateKeys('navigation_tour_video_url')),
  unchanged(370, '`(no topic)` means the empty topic: see 334, no release lies between'),
  unchanged(371, 'Zulip 10.0 was released'),
  unchanged(372, 'as 370, for `POST /typing`'),
];

function withVersion(event: Json): Json {
  if (isNamed(event, 'update_message') && 'orig_content' in event) event['prev_rendered_content_version'] = 1;
  return event;
}

function withVersions(message: Json): void {
  for (const entry of objectsIn(message, 'edit_history')) {
    if ('prev_content' in entry) entry['prev_rendered_content_version'] = 1;
  }
}

function subscribersByEmail(answer: Json, context: LevelContext): void {
  for (const key of ['subscribed', 'already_subscribed']) {
    const byId = Object.entries(objectIn(answer, key));
    answer[key] = Object.fromEntries(
      byId.map(([id, names]) => [context.account(Number(id))?.email ?? id, names]),
    );
  }
}

function oneGroupEach(state: Json, context: LevelContext): void {
  for (const setting of ONE_GROUP) asOneGroup(state, `realm_${setting}`, context);
}

function oneGroupEachInEvent(event: Json, context: LevelContext): Json {
  if (isNamed(event, 'realm/update_dict')) {
    for (const setting of ONE_GROUP) asOneGroup(objectIn(event, 'data'), setting, context);
  }
  return event;
}

/** The options were an object, which was empty for every integration. */
function integrationOptionsAsObject(state: Json): void {
  for (const integration of objectsIn(state, 'realm_incoming_webhook_bots')) {
    delete integration['config_options'];
    integration['config'] = {};
  }
}

/** A link to a message: its URL up to the topic, the ID of its channel, its ID, and its text. */
const MESSAGE_LINK =
  /<a class="message-link" href="([^"]*\/channel\/(\d+)[^"]*)\/near\/(\d+)">(.*?) @ 💬<\/a>/g;

/** `#**channel>topic@id**` linked to a topic of that name. */
function messageLinksAsTopicLinks(html: string): string {
  return html.replace(MESSAGE_LINK, '<a class="stream-topic" data-stream-id="$2" href="$1.40$3">$4@$3</a>');
}

function oneGroupOfRemoversInEvent(event: Json, context: LevelContext): Json {
  if (isNamed(event, 'stream/update') && event['property'] === 'can_remove_subscribers_group')
    asOneGroup(event, 'value', context);
  return event;
}

function permissionsWithFormerKeys(state: Json): void {
  for (const settings of Object.values(objectIn(state, 'server_supported_permission_settings'))) {
    for (const [name, setting] of Object.entries(settings as Record<string, Json>)) {
      setting['allow_owners_group'] = false;
      setting['id_field_name'] = `${name}_id`;
    }
  }
}

/** Greater than any conversation ID, and odd like all of them. */
const FIRST_INBOX = 1_000_000_001;

/** Incoming one-to-one direct messages all had the same `recipient_id`, that of their reader. */
function incomingAsOneConversation(message: Json, { asker }: LevelContext): void {
  const people = message['display_recipient'];
  const isIncoming = message['sender_id'] !== asker;
  if (asker !== null && isIncoming && Array.isArray(people) && people.length === 2)
    message['recipient_id'] = FIRST_INBOX + 2 * asker;
}

function reactionsWithUsers(message: Json, context: LevelContext): void {
  for (const reaction of objectsIn(message, 'reactions')) {
    const id = Number(reaction['user_id']);
    const { email, full_name } = context.account(id) ?? { email: '', full_name: '' };
    reaction['user'] = { id, email, full_name, is_mirror_dummy: false };
  }
}

function defaultChannelsAsRecords(state: Json, context: LevelContext): void {
  asRecords(state, 'realm_default_streams', context);
  for (const group of objectsIn(state, 'realm_default_stream_groups')) asRecords(group, 'streams', context);
}

function defaultChannelsAsRecordsInEvent(event: Json, context: LevelContext): Json {
  if (isNamed(event, 'default_streams')) asRecords(event, 'default_streams', context);
  if (isNamed(event, 'default_stream_groups')) {
    for (const group of objectsIn(event, 'default_stream_groups')) asRecords(group, 'streams', context);
  }
  return event;
}

/** Replaces the IDs in a key by channel records. */
function asRecords(holder: Json, key: string, context: LevelContext): void {
  const ids = holder[key];
  if (!Array.isArray(ids)) return;
  holder[key] = (ids as number[]).map((id) => {
    const { name = '', description = '', isPrivate = false } = context.channel(id) ?? {};
    return { ['stream_id']: id, name, description, invite_only: isPrivate };
  });
}

/** Groups that could post, by the number of `stream_post_policy`. */
const POSTING_POLICIES: ReadonlyMap<string, string> = new Map([
  ['1', 'role:everyone'],
  ['2', 'role:administrators'],
  ['3', 'role:fullmembers'],
  ['4', 'role:moderators'],
]);

function postingPolicyAtCreation(parameters: Map<string, string>, context: LevelContext): void {
  const group = takePostingGroup(parameters, context);
  if (group !== null) parameters.set('can_send_message_group', String(group));
}

function postingPolicyAtUpdate(parameters: Map<string, string>, context: LevelContext): void {
  const group = takePostingGroup(parameters, context);
  if (group !== null) parameters.set('can_send_message_group', `{"new": ${group}}`);
}

/** Removes the former parameters. @returns the group that may post, or null if they do not name one */
function takePostingGroup(parameters: Map<string, string>, context: LevelContext): number | null {
  const isForAnnouncements = parameters.get('is_announcement_only');
  const policy = parameters.get('stream_post_policy') ?? (isForAnnouncements === 'true' ? '2' : '1');
  const name = POSTING_POLICIES.get(policy);
  const isSet = parameters.has('stream_post_policy') || isForAnnouncements !== undefined;
  if (!isSet || name === undefined) return null;
  parameters.delete('stream_post_policy');
  parameters.delete('is_announcement_only');
  return context.systemGroup(name);
}

/** `stream/delete` contained only `streams`. */
function deletedChannelsAsRecords(event: Json): Json {
  if (!isNamed(event, 'stream/delete')) return event;
  const { stream_ids: ids, ...rest } = event;
  return { ...rest, ['streams']: rest['streams'] ?? (ids as number[]).map((id) => ({ ['stream_id']: id })) };
}

function withBilling(user: Json): void {
  if ('is_admin' in user) user['is_billing_admin'] = false;
}

/** `last_edit_timestamp` covered moves too. */
function moveAsEdit(message: Json): void {
  const { last_moved_timestamp: moved = 0, last_edit_timestamp: edited = 0 } = message;
  delete message['last_moved_timestamp'];
  const last = Math.max(Number(moved), Number(edited));
  if (last > 0) message['last_edit_timestamp'] = last;
}
